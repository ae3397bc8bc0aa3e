import { expect, test } from "vitest";
import { extended, noSelection, selectAllText, toggled } from "./selection.ts";

const listed = ["a", "b", "c", "d", "e"];
const idsOf = ({ ids }: typeof noSelection) => [...ids].toSorted().join("");

test("Shift selects from the row selected last to this one, in both directions", () => {
  const one = toggled(noSelection, "b");
  expect(idsOf(extended(one, "d", listed))).toBe("bcd");
  expect(idsOf(extended(one, "a", listed))).toBe("ab");
  expect(idsOf(extended(extended(one, "d", listed), "e", listed))).toBe("bcde");
});

test("Shift deselects a range that begins at a deselected row", () => {
  const all = extended(toggled(noSelection, "a"), "e", listed);
  expect(idsOf(extended(toggled(all, "b"), "d", listed))).toBe("ae");
});

test("Shift selects only this row without an earlier one in the list", () => {
  expect(idsOf(extended(noSelection, "c", listed))).toBe("c");
  expect(idsOf(extended(toggled(noSelection, "gone"), "c", listed))).toBe("cgone");
});

test.each([
  [12, false, "Select all 12 orders"],
  [500, false, "Select all 500 orders"],
  [500, true, "Select the first 500 orders"],
  [12_345, false, "Select the first 500 orders"],
])("with %i orders, more: %s, the button says %j", (orders, hasMore, text) => {
  expect(selectAllText("order", orders, hasMore)).toBe(text);
});
