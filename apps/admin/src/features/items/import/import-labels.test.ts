import { expect, test } from "vitest";
import { differenceOf, importSummary } from "./import-labels.ts";

const answer = { added: 0, changed: 0, unchanged: 10, reordered: false, changes: [] };

test("the summary counts the changes of an import", () => {
  expect(importSummary({ ...answer, added: 1, changed: 2, reordered: true })).toBe(
    "1 new item, 2 changed items, 10 unchanged items, another order of the items.",
  );
  expect(importSummary(answer)).toMatch(/^No changes/);
});

test.each([
  [{ field: "price", from: 100, to: 250 }, "Price: $1.00, $2.50"],
  [{ field: "stock", from: null, to: 3 }, "Stock: not counted, 3"],
  [{ field: "hidden", from: false, to: true }, "Shown in shop: yes, no"],
  [
    { field: "image_urls", from: [], to: ["/a.png", "/b.png"] },
    "Further pictures: none, /a.png /b.png",
  ],
  [{ field: "description", from: "Old", to: "New" }, "Description: Old, New"],
] as const)("%j is shown as %s", (changed, text) => {
  const { field, from, to } = differenceOf(
    changed.field === "image_urls"
      ? { ...changed, from: [...changed.from], to: [...changed.to] }
      : changed,
  );
  expect(`${field}: ${from}, ${to}`).toBe(text);
});
