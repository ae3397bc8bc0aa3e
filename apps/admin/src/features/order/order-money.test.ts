import { expect, test } from "vitest";
import { anIssue, anOrder, emptyLedger } from "../../lib/order.test-data.ts";
import { cancelConsequences, ledgerRows, openIssues } from "./order-money.ts";

const euros = {
  currency: "Eur",
  received: 900,
  refunded: 100,
  kept: 0,
  refundable: 800,
  refund_due: 800,
};
const rows = (changes: Partial<typeof emptyLedger>) =>
  ledgerRows({ ...emptyLedger, ...changes }).map(({ label, cents, currency }) =>
    [label, cents, currency].join(" ").trim(),
  );

test("an order without money has received 0", () => {
  expect(rows({})).toEqual(["Received 0 USD"]);
});

test("a paid order that was paid twice has a refund due", () => {
  const paid = { received: 9_000, kept: 4_500, refundable: 4_500, refund_due: 4_500 };
  expect(rows(paid)).toEqual(["Received 9000 USD", "Kept 4500 USD", "Refund due 4500 USD"]);
});

test("money that does not pay an order is refundable", () => {
  expect(rows({ received: 720, refundable: 720 })).toEqual([
    "Received 720 USD",
    "Refundable 720 USD",
  ]);
});

test("money in another currency is listed without a 0 in dollars", () => {
  expect(rows({ other_currencies: [euros] })).toEqual([
    "Received 900 Eur",
    "Refunded 100 Eur",
    "Refund due 800 Eur",
  ]);
});

test("an unknown amount is never shown as 0", () => {
  expect(ledgerRows({ ...emptyLedger, unknown_amounts: 1 })).toEqual([
    { label: "Received", cents: null, currency: "" },
  ]);
  expect(rows({ received: 720, refundable: 720, unknown_amounts: 2 })).toEqual([
    "Received, by 2 loans",
    "Received 720 USD",
    "Refundable 720 USD",
  ]);
});

const issue = (kind: string, open_amount: number | null = 4_500) => anIssue({ kind, open_amount });
const resolved = {
  ...issue("disputed", 0),
  resolution: { kind: "dismissed", note: "", by: "Ada", at: 1 },
};
const balanced = { ...emptyLedger, received: 4_500 };
const due = { ...balanced, refundable: 4_500, refund_due: 4_500 };
const dueInBoth = {
  ...due,
  other_currencies: [
    {
      currency: "Eur",
      received: 1_200,
      refunded: 0,
      kept: 0,
      refundable: 1_200,
      refund_due: 1_200,
    },
  ],
};

test.each([
  ["no issue", [], balanced, undefined, undefined],
  ["a resolved issue", [resolved], balanced, undefined, undefined],
  ["a refund that is due", [issue("paid-after-cancel")], due, undefined, "Refund due: $45.00."],
  ["a dispute", [issue("disputed", 0)], balanced, "1 payment issue.", undefined],
  [
    "a dispute, a duplicate, and refunds in two currencies",
    [issue("disputed", 0), issue("duplicate")],
    dueInBoth,
    "2 payment issues.",
    "Refund due: $45.00 and 12.00 EUR.",
  ],
  [
    "a payout of unknown amount after the cancellation",
    [issue("paid-after-cancel", null)],
    balanced,
    "1 payment issue.",
    undefined,
  ],
])("an order with %s shows it", (_, payment_issues, ledger, issues, refund) => {
  expect(openIssues(anOrder({ payment_issues, ledger }))).toEqual({ issues, refund });
});

test.each([
  ["without money", {}, "No money was received: nothing to refund."],
  [
    "with money",
    { ledger: { ...emptyLedger, received: 4_600, refunded: 100 } },
    "To refund: $45.00. It is then listed under Payments.",
  ],
  [
    "with money of unknown amount",
    { ledger: { ...emptyLedger, unknown_amounts: 1 } },
    "To refund: an unknown amount. It is then listed under Payments.",
  ],
])("cancelling an order %s has a consequence for the money", (_, changes, text) => {
  expect(cancelConsequences(anOrder(changes))).toEqual([text]);
});

const aLoan = (id: string, state: string) => ({
  id,
  state,
  provider_status: "Requested",
  amount: 4_500,
  currency: "USD",
  is_extension: false,
  bound_at: 1,
});

test.each(["active", "unknown"])("a loan that is %s may still be paid out", (state) => {
  const loans = [aLoan("a", state), aLoan("b", "ended")];
  expect(cancelConsequences(anOrder({ loans }))[1]).toMatch(/^1 loan may still be paid out: /);
});
