import type { AdminEntry, AdminLedger, AdminOrder } from "@keepsats/protocol";
import { expect, test } from "vitest";
import {
  amountText,
  cancellationTexts,
  journalTable,
  refundOnceCancelled,
  sumsText,
} from "./money.ts";

const received = (loan_id: string, amount: number | null = 4_500): AdminEntry => ({
  kind: "received",
  id: loan_id,
  loan_id,
  amount,
  currency: "USD",
  at: 0,
  by: "provider",
  reason: null,
  refund_id: null,
  method: null,
  reference: null,
  issue_id: null,
});
const aLedger = (changes: Partial<AdminLedger> = {}): AdminLedger => ({
  received: 0,
  kept: 0,
  waived: 0,
  written_off: 0,
  refund_due: 0,
  refundable: 0,
  refunded: 0,
  missing: 0,
  unknown_amounts: 0,
  other_currencies: [],
  entries: [],
  ...changes,
});
const aLoan = (id: string, changes: Partial<AdminOrder["loans"][number]> = {}) => ({
  id,
  provider_status: "Paid",
  state: "paid-out",
  amount: 4_500,
  currency: "USD",
  is_extension: false,
  bound_at: 0,
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

test.each([
  [4_500, "USD", "$45.00"],
  [-4_500, "USD", "-$45.00"],
  [123_450, "USD", "$1,234.50"],
  [900, "EUR", "9.00 EUR"],
  [null, "USD", "unknown"],
])("%j hundredths of %s are %j", (cents, currency, text) => {
  expect(amountText(cents, currency)).toBe(text);
});

test.each([
  ["nothing", {}, ""],
  [
    "a refund due",
    { received: 9_000, kept: 4_500, refundable: 4_500, refund_due: 4_500 },
    "received $90.00, kept $45.00, refund due $45.00",
  ],
  [
    "money that does not pay",
    { received: 720, refundable: 720 },
    "received $7.20, refundable $7.20",
  ],
  [
    "another currency",
    { other_currencies: [{ ...euros, refunded: 100, refund_due: 800 }] },
    "received 9.00 EUR, refunded 1.00 EUR, refund due 8.00 EUR",
  ],
  ["an unknown amount", { unknown_amounts: 1 }, "received unknown"],
])("the sums of a ledger with %s", (_, changes, text) => {
  expect(sumsText(aLedger(changes))).toBe(text);
});

test("a journal has a line for each entry, with its loan and reason below", () => {
  const refunded: AdminEntry = {
    ...received("loan-7"),
    kind: "refunded",
    loan_id: null,
    amount: 1_200,
    by: "Ada",
    method: "cash",
    reference: "till 3",
    reason: "sold out",
  };
  expect(journalTable([received("loan-7", null), refunded], 80).split("\n")).toEqual([
    "WHEN (UTC)        MONEY      AMOUNT  BY",
    "1970-01-01 00:00  Received  unknown  provider",
    "                  loan loan-7",
    "1970-01-01 00:00  Refunded   $12.00  Ada",
    "                  cash, till 3, sold out",
  ]);
  expect(journalTable([], 80)).toBe("");
});

test("the refund once an order is cancelled has all currencies and unknown amounts", () => {
  expect(refundOnceCancelled(aLedger())).toBe("");
  const ledger = aLedger({ received: 4_500, unknown_amounts: 1, other_currencies: [euros] });
  expect(refundOnceCancelled(ledger)).toBe("$45.00, 9.00 EUR and an unknown amount");
});

test("nothing is said about an order without money and loans", () => {
  const order = { ledger: aLedger(), loans: [] };
  expect(cancellationTexts(order, { open_loans: [] })).toEqual([]);
});

test("the refund due is said", () => {
  const ledger = aLedger({ refund_due: 9_000, refundable: 9_000 });
  expect(cancellationTexts({ ledger, loans: [] }, { open_loans: [] })).toEqual([
    "It was paid: you owe a refund of $90.00.",
  ]);
});

test("an unknown amount is never said as 0", () => {
  const ledger = aLedger({ unknown_amounts: 1, entries: [received("a", null)] });
  expect(cancellationTexts({ ledger, loans: [] }, { open_loans: [] })).toEqual([
    "It was paid: you owe a refund of an unknown amount.",
  ]);
});

test("loans that may still be paid out are named", () => {
  const open_loans = [
    { id: "a", provider_status: "Secured", state: "active" },
    { id: "b", provider_status: null, state: "unknown" },
  ];
  const texts = cancellationTexts({ ledger: aLedger(), loans: [] }, { open_loans });
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
