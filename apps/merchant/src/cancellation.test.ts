import type { MerchantEntry, MerchantLedger, MerchantOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { cancellationTexts, refundOnceCancelled } from "./cancellation.ts";

const received = (loan_id: string, amount: number | null = 4_500): MerchantEntry => ({
  ...{ kind: "received", id: loan_id, loan_id, amount, currency: "USD", at: 0, by: "provider" },
  ...{ reason: null, refund_id: null, method: null, reference: null, issue_id: null },
});
const aLedger = (changes: Partial<MerchantLedger> = {}): MerchantLedger => ({
  ...{ received: 0, kept: 0, waived: 0, written_off: 0, refund_due: 0, refundable: 0 },
  ...{ refunded: 0, missing: 0, unknown_amounts: 0, other_currencies: [], entries: [] },
  ...changes,
});
const aLoan = (id: string, changes: Partial<MerchantOrder["loans"][number]> = {}) => ({
  ...{ id, provider_status: "Paid", state: "paid-out", amount: 4_500, currency: "USD" },
  ...{ is_extension: false, bound_at: 0 },
  ...changes,
});
const euros = {
  currency: "EUR",
  received: 900,
  refunded: 0,
  kept: 0,
  refundable: 900,
  refund_due: 900,
};

test("the refund once an order is cancelled has all currencies and unknown amounts", () => {
  expect(refundOnceCancelled(aLedger())).toBe("");
  const ledger = aLedger({ received: 4_500, unknown_amounts: 1, other_currencies: [euros] });
  expect(refundOnceCancelled(ledger)).toBe("$45.00, 9.00 EUR and an unknown amount");
});

test("nothing is said about an order without money and loans", () => {
  const order = { ledger: aLedger(), loans: [] };
  expect(cancellationTexts(order, { loans_under_way: [] })).toEqual([]);
});

test("the refund due is said with the number of loans that brought it, without extensions", () => {
  const entries = [received("a"), received("b"), received("c")];
  const loans = [aLoan("a"), aLoan("b"), aLoan("c", { is_extension: true })];
  const ledger = aLedger({ refund_due: 9_000, refundable: 9_000, entries });
  expect(cancellationTexts({ ledger, loans }, { loans_under_way: [] })).toEqual([
    "It was paid by 2 loans: you owe a refund of $90.00.",
  ]);
});

test("an unknown amount is never said as 0", () => {
  const ledger = aLedger({ unknown_amounts: 1, entries: [received("a", null)] });
  expect(cancellationTexts({ ledger, loans: [] }, { loans_under_way: [] })).toEqual([
    "It was paid: you owe a refund of an unknown amount.",
  ]);
});

test("loans that may still be paid out are named", () => {
  const loans_under_way = [
    { id: "a", provider_status: "Secured", state: "active" },
    { id: "b", provider_status: null, state: "unknown" },
  ];
  const texts = cancellationTexts({ ledger: aLedger(), loans: [] }, { loans_under_way });
  expect(texts.slice(1)).toEqual(["  a  Secured", "  b  unknown"]);
});

test("an order that was cancelled before names its loans without a payout", () => {
  const loans = [
    aLoan("a"),
    aLoan("b", { state: "active", provider_status: "Secured" }),
    aLoan("c", { state: "ended", provider_status: "Refused" }),
  ];
  const ledger = aLedger({ entries: [received("a")] });
  expect(cancellationTexts({ ledger, loans }, {}).slice(1)).toEqual(["  b  Secured"]);
});
