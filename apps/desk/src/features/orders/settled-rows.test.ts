import { expect, test } from "vitest";
import { freshRows, settle } from "./settled-rows.ts";

function order(id: string, status = "Pending") {
  return {
    id,
    status,
    customer_name: "Ada",
    customer_email: "a@b.c",
    total_price: 100,
    created_at: 0,
  };
}

const ids = (rows: ReturnType<typeof freshRows>) => rows.map((row) => row.order.id).join("");

test("a change of an order shows in its row, which stays where it is", () => {
  const shown = freshRows([order("a"), order("b")]);
  const { rows, arrived } = settle(shown, [order("a"), order("b", "Cancelled")]);
  expect(rows.map((row) => row.order.status)).toEqual(["Pending", "Cancelled"]);
  expect(arrived).toBe(0);
});

test("new orders wait above the table, and rows keep their places", () => {
  const shown = freshRows([order("b"), order("c")]);
  const { rows, arrived } = settle(shown, [order("x"), order("y"), order("b"), order("c")]);
  expect(ids(rows)).toBe("bc");
  expect(arrived).toBe(2);
});

test("an order that has left the list stays in its place and is marked", () => {
  const shown = freshRows([order("a"), order("b"), order("c")]);
  const { rows } = settle(shown, [order("a"), order("c")]);
  expect(rows.map(({ order: { id }, left }) => [id, left])).toEqual([
    ["a", false],
    ["b", true],
    ["c", false],
  ]);
});

test("an order that comes back is marked no longer", () => {
  const left = settle(freshRows([order("a"), order("b")]), [order("a")]).rows;
  expect(settle(left, [order("a"), order("b")]).rows.every((row) => !row.left)).toBe(true);
});

test("what is further down is appended", () => {
  const { rows, arrived } = settle(freshRows([order("a")]), [
    order("x"),
    order("a"),
    order("b"),
    order("c"),
  ]);
  expect(ids(rows)).toBe("abc");
  expect(arrived).toBe(1);
});

test("when all rows have left, what is listed waits", () => {
  const { rows, arrived } = settle(freshRows([order("a")]), [order("b")]);
  expect(rows.map(({ order: { id }, left }) => [id, left])).toEqual([["a", true]]);
  expect(arrived).toBe(1);
});

test("an empty table takes everything", () => {
  expect(settle([], [order("a"), order("b")])).toEqual({
    rows: freshRows([order("a"), order("b")]),
    arrived: 0,
  });
});
