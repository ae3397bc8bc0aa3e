import { expect, test } from "vitest";
import { type News, newsAfter, nothingNew, ordersOf, titleWithNews } from "./new-orders.ts";

type Step = Parameters<typeof newsAfter>[1];
const hidden = (orders?: number): Step => ({ isHidden: true, orders });
const shown = (orders?: number): Step => ({ isHidden: false, orders });
const countAfter = (...steps: readonly Step[]) => steps.reduce<News>(newsAfter, nothingNew).count;

test.each<[what: string, steps: readonly Step[], count: number]>([
  ["orders that come while one looks are not new", [shown(5), shown(8)], 0],
  ["orders that come while the tab is hidden are", [shown(5), hidden(5), hidden(6), hidden(8)], 3],
  ["whoever looks has seen them", [shown(5), hidden(8), shown(8)], 0],
  ["what was seen does not come again", [shown(5), hidden(8), shown(8), hidden(8), hidden(9)], 1],
  [
    "a tab that was opened in the background counts from what it reads first",
    [hidden(), hidden(5), hidden(7)],
    2,
  ],
  ["what is not known changes nothing", [shown(5), hidden(7), hidden(), hidden(7)], 2],
  [
    "a look while nothing is known keeps what was seen",
    [shown(5), hidden(7), shown(), hidden(6)],
    1,
  ],
  ["fewer orders are no news", [shown(5), hidden(4)], 0],
])("%s", (_, steps, count) => {
  expect(countAfter(...steps)).toBe(count);
});

test("all statuses count", () => {
  const orders_by_status = [
    { status: "Pending", orders: 2 },
    { status: "Shipped", orders: 3 },
  ];
  expect(ordersOf({ orders_by_status })).toBe(5);
});

test.each([
  ["Orders · Desk", 3, "(3) Orders · Desk"],
  ["(3) Orders · Desk", 120, "(99+) Orders · Desk"],
  ["(99+) Orders · Desk", 0, "Orders · Desk"],
  ["Orders · Desk", 0, "Orders · Desk"],
])("the title %j with %i new orders is %j", (title, count, expected) => {
  expect(titleWithNews(title, { seen: 0, count })).toBe(expected);
});
