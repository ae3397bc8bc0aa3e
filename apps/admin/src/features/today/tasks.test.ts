import { expect, test } from "vitest";
import { tasksOf } from "./tasks.ts";
import { buildToday } from "./today.test-data.ts";

test("a shop without open work has no tasks", () => {
  expect(tasksOf(buildToday())).toEqual([]);
});

test("each task links to the screen that lists it, money first", () => {
  const today = buildToday({
    to_ship: 3,
    returns_requested: 1,
    returns_received: 2,
    payment_issues: 5,
    refunds_due: { orders: 2, amount: 9_000 },
    failed_deliveries: 4,
    low_stock: 2,
    sold_out: 1,
    mail: { configured: true, state: "ok", waiting: 0, failed: 1 },
  });
  expect(tasksOf(today)).toEqual([
    { text: "5 payments need attention, 2 refunds due: $90.00", to: "/payments" },
    { text: "3 orders to ship", to: "/orders?status=PaymentProcessed" },
    { text: "1 return requested, 2 arrived", to: "/returns" },
    { text: "1 email and 3 webhook messages did not arrive", to: "/settings/email" },
    { text: "1 item sold out", to: "/items?stock=none" },
    { text: "2 items low in stock", to: "/items?stock=low" },
  ]);
});

test.each([
  [1, 0, 0, "1 payment needs attention"],
  [1, 1, 4_500, "1 payment needs attention, 1 refund due: $45.00"],
  [2, 1, 0, "2 payments need attention, 1 refund due"],
  [0, 1, 4_500, "1 refund due: $45.00"],
])(
  "%i payment issues and %i refunds due of %i cents are one task",
  (payment_issues, orders, amount, text) => {
    const refunds_due = { orders, amount };
    expect(tasksOf(buildToday({ payment_issues, refunds_due }))).toEqual([
      { text, to: "/payments" },
    ]);
  },
);

test.each([
  [1, 0, "1 return requested"],
  [0, 2, "2 returns arrived"],
])(
  "%i requested and %i arrived returns are one task",
  (returns_requested, returns_received, text) => {
    expect(tasksOf(buildToday({ returns_requested, returns_received }))).toEqual([
      { text, to: "/returns" },
    ]);
  },
);

test.each([
  [2, 2, "2 emails did not arrive"],
  [1, 0, "1 webhook message did not arrive"],
])("of %i failed deliveries %i are emails", (failed_deliveries, failed, text) => {
  const today = buildToday({
    failed_deliveries,
    mail: { configured: true, state: "ok", waiting: 0, failed },
  });
  expect(tasksOf(today)).toEqual([{ text, to: "/settings/email" }]);
});
