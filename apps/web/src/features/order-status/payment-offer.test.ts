import { expect, test } from "vitest";
import { paymentOffer } from "./payment-offer.ts";

const shipping_address = { street: "", city: "", state: "", postal_code: "", country: "" };

/** An order that waits for its payment. */
function anOrder(changes: { status?: string; payment_attempt_over?: boolean } = {}) {
  const people = { customer_name: "", customer_email: "", shipping_address };
  return { ...people, status: "Pending", items: [], total_price: 1, created_at: 1, ...changes };
}
const over = anOrder({ payment_attempt_over: true });
const error = "ContractNotFound";
const withKey = { orderId: "o", key: "k" };
const withBoth = { ...withKey, contractId: "c" };
const withoutKey = { orderId: "o", contractId: "c" };

test.each([
  ["an own order that is not paid", anOrder(), undefined, withKey, "Finance with Bitcoin"],
  ["an own order whose loan was declined", over, undefined, withBoth, "Try payment again"],
  ["an own order whose loan does not fit", anOrder(), error, withBoth, "Try payment again"],
  [
    "an order without its key, whose loan was declined",
    over,
    undefined,
    withoutKey,
    "Try payment again",
  ],
])("%s can be paid", (_, order, kind, link, label) => {
  expect(paymentOffer({ order, error: kind, link })?.label).toBe(label);
});

test("after a loan that does not fit, the texts say nothing of an earlier loan", () => {
  expect(paymentOffer({ order: over, error, link: withBoth })?.title).toBe("Pay with another loan");
});

test.each([
  ["while its loan is being looked at", anOrder(), undefined, withBoth],
  ["while the lender cannot be asked about its loan", anOrder(), "ConnectionError", withBoth],
  ["while a loan is under way", anOrder({ status: "PaymentProcessing" }), error, withBoth],
  [
    "when it is paid",
    anOrder({ status: "PaymentProcessed", payment_attempt_over: true }),
    undefined,
    withKey,
  ],
  ["when it is cancelled", anOrder({ status: "Cancelled" }), undefined, withKey],
  ["without its key, before an attempt has failed", anOrder(), undefined, withoutKey],
  ["before it is known", undefined, error, withBoth],
])("an order cannot be paid %s", (_, order, kind, link) => {
  expect(paymentOffer({ order, error: kind, link })).toBeUndefined();
});
