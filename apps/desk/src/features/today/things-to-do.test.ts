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
    refunds_due: 2,
    deliveries_given_up: 4,
    low_stock: 2,
    sold_out: 1,
    mail: { configured: true, state: "ok", waiting: 0, given_up: 1 },
  });
  expect(thingsToDo(today)).toEqual([
    { text: "2 refunds due", to: "/payments?kind=paid-after-cancel" },
    { text: "5 payments need attention, refunds included", to: "/payments" },
    { text: "3 orders to ship", to: "/orders?status=PaymentProcessed" },
    { text: "1 email and 3 webhook messages did not arrive", to: "/settings/mail" },
    { text: "1 item sold out", to: "/items?stock=none" },
    { text: "2 items low in stock", to: "/items?stock=low" },
  ]);
});

test("payment issues have no line of their own when all of them are refunds due", () => {
  const texts = thingsToDo(someToday({ payment_issues: 1, refunds_due: 1 })).map(
    ({ text }) => text,
  );
  expect(texts).toEqual(["1 refund due"]);
});

test("without refunds due the line of the payment issues does not name refunds", () => {
  const [line] = thingsToDo(someToday({ payment_issues: 1 }));
  expect(line?.text).toBe("1 payment needs attention");
});

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
