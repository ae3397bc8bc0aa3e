import { expect, test } from "vitest";
import { createPendingPositions, inOrder, moved, positionAfterKey } from "./item-positions.ts";

test.each([
  ["a", 1, "bac"],
  ["a", 2, "bca"],
  ["c", 0, "cab"],
  ["b", -1, "bac"],
  ["b", 9, "acb"],
  ["z", 0, "abc"],
])("%s moved to position %d gives %s", (id, to, after) => {
  expect(moved(["a", "b", "c"], id, to).join("")).toBe(after);
});

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

test("the next change stores successful changes, not failed ones", () => {
  const positions = createPendingPositions();
  const [first, second, third] = [
    { id: "a", to: 3 },
    { id: "b", to: 2 },
    { id: "d", to: 0 },
  ];
  positions.add(first, ["a", "b", "c", "d"]);
  positions.add(second, positions.shown());
  positions.add(third, positions.shown());
  expect(positions.toStore(first).join("")).toBe("bcda");
  positions.end(first, false);
  expect(positions.toStore(second).join("")).toBe("acbd");
  positions.end(second, true);
  expect(positions.toStore(third).join("")).toBe("dacb");
  expect(positions.shown().join("")).toBe("dacb");
});
