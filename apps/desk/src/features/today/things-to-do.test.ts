import { expect, test } from "vitest";
import { someToday } from "./some-today.ts";
import { thingsToDo } from "./things-to-do.ts";

test("nothing is to do in a shop where nothing waits", () => {
  expect(thingsToDo(someToday())).toEqual([]);
});

test("each line leads to exactly what it counts, money first", () => {
  const today = someToday({
    to_ship: 3,
    payment_issues: 5,
    refunds_due: { orders: 2, amount: 9_000 },
    deliveries_given_up: 4,
    low_stock: 2,
    sold_out: 1,
    mail: { configured: true, state: "ok", waiting: 0, given_up: 1 },
  });
  expect(thingsToDo(today)).toEqual([
    { text: "5 payments need attention, 2 refunds due: $90.00", to: "/payments" },
    { text: "3 orders to ship", to: "/orders?status=PaymentProcessed" },
    { text: "1 email and 3 webhook messages did not arrive", to: "/settings/mail" },
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
  "%i payment issues and %i refunds due of %i cents are one line",
  (payment_issues, orders, amount, text) => {
    const refunds_due = { orders, amount };
    expect(thingsToDo(someToday({ payment_issues, refunds_due }))).toEqual([
      { text, to: "/payments" },
    ]);
  },
);

test.each([
  [2, 2, "2 emails did not arrive"],
  [1, 0, "1 webhook message did not arrive"],
])("of %i that did not arrive, %i are emails", (deliveries_given_up, given_up, text) => {
  const today = someToday({
    deliveries_given_up,
    mail: { configured: true, state: "ok", waiting: 0, given_up },
  });
  expect(thingsToDo(today)).toEqual([{ text, to: "/settings/mail" }]);
});
