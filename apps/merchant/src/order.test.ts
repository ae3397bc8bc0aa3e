import type { MerchantOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { formatOwed, owedNow, owedWhenCancelled } from "./order.ts";

const received = (contract_id: string, amount = 4_500) =>
  ({ kind: "received", contract_id, amount, at: 0 }) as const;
const anAddress = { street: "", city: "", state: "", postal_code: "", country: "" };
const sums = {
  received: 0,
  kept: 0,
  explained: 0,
  owed: 0,
  refundable: 0,
  given_back: 0,
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
  contracts: [],
  mismatches: [],
  ledger: { ...sums, entries: [], ...changes },
  deliveries: [],
});

test("what the ledger says is owed, by so many loans", () => {
  const order = anOrder({
    received: 9_000,
    kept: 4_500,
    owed: 4_500,
    entries: [received("a"), received("b")],
  });
  expect(owedNow(order)).toEqual({ cents: 4_500, loans: 2, exact: true });
});

test("for an order that is cancelled everything is owed that was neither explained nor given back", () => {
  const order = anOrder({
    received: 9_500,
    kept: 5_500,
    explained: 1_000,
    given_back: 500,
    owed: 3_500,
  });
  expect(owedWhenCancelled(order).cents).toBe(8_000);
});

test("a loan of unknown amount counts as at least the total", () => {
  const order = anOrder({ received: 4_500, owed: 4_500, entries: [received("a")] });
  const contract = {
    id: "a",
    status: "s",
    meaning: "paid",
    amount: null,
    extends: null,
    bound_at: 0,
  };
  expect(formatOwed(owedNow({ ...order, contracts: [contract] }))).toBe("at least $45.00");
});
