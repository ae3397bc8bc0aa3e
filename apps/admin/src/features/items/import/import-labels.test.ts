import { expect, test } from "vitest";
import { differenceOf, importSummary, progressText } from "./import-labels.ts";

const answer = { added: 0, changed: 0, unchanged: 10, reordered: false, changes: [] };

test("the summary counts the changes of an import", () => {
  expect(importSummary({ ...answer, added: 1, changed: 2, reordered: true })).toBe(
    "1 item will be added, 2 items will be changed, 10 items stay as they are, the order of the items will change.",
  );
  expect(importSummary({ ...answer, added: 1, changed: 2, reordered: true }, true)).toBe(
    "1 item was added, 2 items were changed, 10 items stayed as they were, the order of the items has changed.",
  );
  expect(importSummary({ ...answer, unchanged: 0, reordered: true })).toBe(
    "The order of the items will change.",
  );
  expect(importSummary(answer)).toMatch(/^No changes/);
});

test("the progress of an upload is shown in megabytes", () => {
  expect(progressText({ sent: 2_202_010, total: 8_466_732 })).toBe(
    "Sending the file: 2.1 of 8.1 MB",
  );
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
