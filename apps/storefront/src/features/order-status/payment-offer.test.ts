import { expect, test } from "vitest";
import { paymentOffer } from "./payment-offer.ts";

const shipping_address = { street: "", city: "", state: "", postal_code: "", country: "" };

/** An order that awaits payment. */
function anOrder(changes: { status?: string; payment_attempt_failed?: boolean } = {}) {
  const personalData = { customer_name: "", customer_email: "", shipping_address };
  return {
    ...personalData,
    status: "Pending",
    items: [],
    total_price: 1,
    created_at: 1,
    ...changes,
  };
}
const failed = anOrder({ payment_attempt_failed: true });
const error = "ContractNotFound";
const withKey = { orderId: "o", key: "k" };
const withBoth = { ...withKey, loanId: "c" };
const withoutKey = { orderId: "o", loanId: "c" };

test.each([
  ["an unpaid order by its key", anOrder(), undefined, withKey, "Finance with Bitcoin"],
  ["an order by its key whose loan was declined", failed, undefined, withBoth, "Try payment again"],
  ["an order by its key whose loan does not fit", anOrder(), error, withBoth, "Try payment again"],
  [
    "an order without its key, whose loan was declined",
    failed,
    undefined,
    withoutKey,
    "Try payment again",
  ],
])("%s can be paid", (_, order, kind, link, label) => {
  expect(paymentOffer({ order, error: kind, link })?.label).toBe(label);
});

test("after a loan that does not fit, the texts do not mention an earlier loan", () => {
  expect(paymentOffer({ order: failed, error, link: withBoth })?.title).toBe(
    "Pay with another loan",
  );
});

test.each([
  ["while its loan is checked", anOrder(), undefined, withBoth],
  ["while the lender cannot be reached", anOrder(), "ConnectionError", withBoth],
  ["while a loan is active", anOrder({ status: "PaymentProcessing" }), error, withBoth],
  [
    "when it is paid",
    anOrder({ status: "PaymentProcessed", payment_attempt_failed: true }),
    undefined,
    withKey,
  ],
  ["when it is cancelled", anOrder({ status: "Cancelled" }), undefined, withKey],
  ["without its key, before an attempt has failed", anOrder(), undefined, withoutKey],
  ["before it is known", undefined, error, withBoth],
])("an order cannot be paid %s", (_, order, kind, link) => {
  expect(paymentOffer({ order, error: kind, link })).toBeUndefined();
});
