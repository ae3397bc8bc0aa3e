import { expect, test } from "vitest";
import { createPendingMoves, inOrder, moved, positionAfterKey } from "./item-order.ts";

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

test("the next move stores successful moves, not failed ones", () => {
  const moves = createPendingMoves();
  const [first, second, third] = [
    { id: "a", to: 3 },
    { id: "b", to: 2 },
    { id: "d", to: 0 },
  ];
  moves.add(first, ["a", "b", "c", "d"]);
  moves.add(second, moves.shown());
  moves.add(third, moves.shown());
  expect(moves.toStore(first).join("")).toBe("bcda");
  moves.end(first, false);
  expect(moves.toStore(second).join("")).toBe("acbd");
  moves.end(second, true);
  expect(moves.toStore(third).join("")).toBe("dacb");
  expect(moves.shown().join("")).toBe("dacb");
});
