import { expect, test } from "vitest";
import { countOrders, titleWithCount } from "./new-orders-title.ts";

test("orders of all statuses are counted", () => {
  const orders_by_status = [
    { status: "Pending", orders: 2 },
    { status: "Shipped", orders: 3 },
  ];
  expect(countOrders({ orders_by_status })).toBe(5);
});

test.each([
  ["Orders · Admin", 3, "(3) Orders · Admin"],
  ["(3) Orders · Admin", 120, "(99+) Orders · Admin"],
  ["(99+) Orders · Admin", 0, "Orders · Admin"],
  ["Orders · Admin", 0, "Orders · Admin"],
  ["Orders · Admin", -1, "Orders · Admin"],
])("the title %j with %i new orders is %j", (title, count, expected) => {
  expect(titleWithCount(title, count)).toBe(expected);
});
