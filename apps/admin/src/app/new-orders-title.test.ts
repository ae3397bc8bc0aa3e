import { expect, test } from "vitest";
import {
  countNewOrders,
  countOrders,
  type NewOrders,
  noNewOrders,
  titleWithCount,
} from "./new-orders-title.ts";

type Step = Parameters<typeof countNewOrders>[1];
const hidden = (orders?: number): Step => ({ isHidden: true, orders });
const shown = (orders?: number): Step => ({ isHidden: false, orders });
const countAfter = (...steps: readonly Step[]) =>
  steps.reduce<NewOrders>(countNewOrders, noNewOrders).count;

test.each<[behaviour: string, steps: readonly Step[], count: number]>([
  ["orders placed while the tab is visible are not new", [shown(5), shown(8)], 0],
  ["orders placed while the tab is hidden are new", [shown(5), hidden(5), hidden(6), hidden(8)], 3],
  ["showing the tab resets the count", [shown(5), hidden(8), shown(8)], 0],
  ["seen orders are not counted again", [shown(5), hidden(8), shown(8), hidden(8), hidden(9)], 1],
  [
    "a tab opened in the background counts from the first known number",
    [hidden(), hidden(5), hidden(7)],
    2,
  ],
  ["an unknown number keeps the count", [shown(5), hidden(7), hidden(), hidden(7)], 2],
  [
    "showing the tab while the number is unknown keeps the seen number",
    [shown(5), hidden(7), shown(), hidden(6)],
    1,
  ],
  ["a smaller number adds no new orders", [shown(5), hidden(4)], 0],
])("%s", (_, steps, count) => {
  expect(countAfter(...steps)).toBe(count);
});

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
])("the title %j with %i new orders is %j", (title, count, expected) => {
  expect(titleWithCount(title, { seen: 0, count })).toBe(expected);
});
