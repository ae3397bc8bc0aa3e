import { expect, test } from "vitest";
import { inOrder, positionAfterKey } from "./use-item-order.ts";

test("new elements stay at the end", () => {
  const elements = ["a", "b", "new", "c"].map((id) => ({ id }));
  expect(inOrder(elements, ["c", "a", "b"]).map(({ id }) => id)).toEqual(["c", "a", "b", "new"]);
});

test("arrow keys move by one, Home and End to the ends, other keys do not move", () => {
  expect(positionAfterKey("ArrowUp", 2, 5)).toBe(1);
  expect(positionAfterKey("ArrowDown", 2, 5)).toBe(3);
  expect(positionAfterKey("Home", 2, 5)).toBe(0);
  expect(positionAfterKey("End", 2, 5)).toBe(4);
  expect(positionAfterKey("Tab", 2, 5)).toBeUndefined();
});
