import type { MerchantOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { formatRefundDue, refundDueNow, refundDueWhenCancelled } from "./order.ts";

const received = (loan_id: string, amount = 4_500) =>
  ({ kind: "received", loan_id, amount, at: 0 }) as const;
const anAddress = { street: "", city: "", state: "", postal_code: "", country: "" };
const sums = {
  received: 0,
  kept: 0,
  kept_by_staff: 0,
  refund_due: 0,
  refundable: 0,
  refunded: 0,
  missing: 0,
};
const anOrder = (changes: Partial<MerchantOrder["ledger"]>): MerchantOrder => ({
  id: "o",
  status: "PaymentProcessed",
  items: [],
  total_price: 4_500,
  customer_name: "Ada",
  customer_email: "ada@example.org",
  shipping_address: anAddress,
  billing_address: anAddress,
  created_at: 0,
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  merchant_message: null,
  erased_at: null,
  events: [],
  notes: [],
  loans: [],
  payment_issues: [],
  ledger: { ...sums, entries: [], ...changes },
  deliveries: [],
});

test("the refund due of the ledger, by so many loans", () => {
  const order = anOrder({
    received: 9_000,
    kept: 4_500,
    refund_due: 4_500,
    entries: [received("a"), received("b")],
  });
  expect(refundDueNow(order)).toEqual({ cents: 4_500, loans: 2, exact: true });
});

test("for an order that is cancelled all money is due that staff neither keep nor have refunded", () => {
  const order = anOrder({
    received: 9_500,
    kept: 5_500,
    kept_by_staff: 1_000,
    refunded: 500,
    refund_due: 3_500,
  });
  expect(refundDueWhenCancelled(order).cents).toBe(8_000);
});

test("a loan of unknown amount counts as at least the total", () => {
  const order = anOrder({ received: 4_500, refund_due: 4_500, entries: [received("a")] });
  const loan = {
    id: "a",
    provider_status: "s",
    state: "paid-out",
    amount: null,
    extends: null,
    bound_at: 0,
  };
  expect(formatRefundDue(refundDueNow({ ...order, loans: [loan] }))).toBe("at least $45.00");
});
