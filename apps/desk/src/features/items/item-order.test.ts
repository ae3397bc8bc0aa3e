import { expect, test } from "vitest";
import { createPendingMoves, inOrder, moved, placeAfterKey } from "./item-order.ts";

test.each([
  ["a", 1, "bac"],
  ["a", 2, "bca"],
  ["c", 0, "cab"],
  ["b", -1, "bac"],
  ["b", 9, "acb"],
  ["z", 0, "abc"],
])("%s moved to place %d gives %s", (id, to, after) => {
  expect(moved(["a", "b", "c"], id, to).join("")).toBe(after);
});

test("things that came meanwhile stay at the end", () => {
  const things = ["a", "b", "new", "c"].map((id) => ({ id }));
  expect(inOrder(things, ["c", "a", "b"]).map(({ id }) => id)).toEqual(["c", "a", "b", "new"]);
});

test("the arrow keys move by one, Home and End to the ends, and other keys do not move", () => {
  expect(placeAfterKey("ArrowUp", 2, 5)).toBe(1);
  expect(placeAfterKey("ArrowDown", 2, 5)).toBe(3);
  expect(placeAfterKey("Home", 2, 5)).toBe(0);
  expect(placeAfterKey("End", 2, 5)).toBe(4);
  expect(placeAfterKey("Tab", 2, 5)).toBeUndefined();
});

test("the next move stores the moves that succeeded, not those that failed", () => {
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
