import { describe, expect, test } from "vitest";
import {
  entry,
  ORDER,
  otherLoan,
  received,
  stored,
  withoutOrder,
} from "../../../../../../test/harness/loan-accounts.ts";
import {
  type ConsequencesInShort,
  consequences,
  consequencesInShort,
  disputed,
  type Facts,
  inEuros,
  loan,
  NOW,
  OTHER_ORDER,
  ofUnknownAmount,
  wasPaid,
  wasReversed,
  wasUnderpaid,
} from "../../../../../../test/harness/loan-reports.ts";
import type { Loan } from "./types.ts";

describe("the first payout", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: ConsequencesInShort]>([
    [
      "paid out",
      loan("paid-out"),
      {},
      { kind: "bound", state: "paid-out", moved: "PaymentProcessed", entries: ["received 1200"] },
    ],
    [
      "paid out after a dispute",
      loan("paid-out"),
      { stored: stored("unknown") },
      { kind: "bound", state: "paid-out", moved: "PaymentProcessed", entries: ["received 1200"] },
    ],
    [
      "paid out for a paid order",
      loan("paid-out"),
      { status: "Shipped" },
      { kind: "bound", state: "paid-out", entries: ["received 1200"] },
    ],
    [
      "paid out for a cancelled order",
      loan("paid-out"),
      { status: "Cancelled" },
      { kind: "bound", state: "paid-out", entries: ["received 1200"] },
    ],
    [
      "paid out with too much",
      loan("paid-out", { cents: 1_500 }),
      {},
      { kind: "bound", state: "paid-out", moved: "PaymentProcessed", entries: ["received 1500"] },
    ],
    [
      "paid out with too little",
      loan("paid-out", { cents: 720 }),
      {},
      { kind: "refused", state: "paid-out", refusal: "underpaid", entries: ["received 720"] },
    ],
    [
      "paid out with too little by now",
      loan("paid-out", { cents: 720 }),
      { stored: stored("active"), status: "PaymentProcessing" },
      { kind: "refused", state: "paid-out", refusal: "underpaid", entries: ["received 720"] },
    ],
    [
      "paid out with less than half a cent too little",
      loan("paid-out", { cents: 1_199, exactCents: 1_199.999 }),
      {},
      { kind: "bound", state: "paid-out", moved: "PaymentProcessed", entries: ["received 1200"] },
    ],
    [
      "paid out with half a cent too little",
      loan("paid-out", { cents: 1_199, exactCents: 1_199.5 }),
      {},
      { kind: "refused", state: "paid-out", refusal: "underpaid", entries: ["received 1199"] },
    ],
    [
      "paid out in euros",
      loan("paid-out", inEuros),
      {},
      {
        kind: "refused",
        state: "paid-out",
        refusal: "wrong-currency",
        entries: ["received 1200 EUR"],
      },
    ],
    [
      "paid out in another asset that is called like the shop's currency",
      loan("paid-out", { otherAsset: "USD" }),
      {},
      {
        kind: "refused",
        state: "paid-out",
        refusal: "wrong-currency",
        entries: ["received 1200 another USD"],
      },
    ],
    [
      "paid out with an unknown amount",
      loan("paid-out", ofUnknownAmount),
      {},
      {
        kind: "refused",
        state: "paid-out",
        refusal: "underpaid",
        entries: ["received 0 unknown 1"],
      },
    ],
    [
      "paid out with an unknown amount for a cheap order",
      loan("paid-out", ofUnknownAmount),
      { total: 1 },
      {
        kind: "refused",
        state: "paid-out",
        refusal: "underpaid",
        entries: ["received 0 unknown 1"],
      },
    ],
    [
      "paid out for another order than before",
      loan("paid-out", { orderId: OTHER_ORDER }),
      { stored: stored("active") },
      { kind: "refused", state: "paid-out", refusal: "unknown-order", entries: ["received 1200"] },
    ],
    [
      "paid out for no order",
      loan("paid-out", { orderId: undefined }),
      {},
      {
        kind: "refused",
        state: "paid-out",
        refusal: "unknown-order",
        entries: ["received 1200 without an order"],
      },
    ],
    [
      "paid out with the amount of an accepted loan, which it may extend",
      loan("paid-out", { cents: 720 }),
      { others: [otherLoan("paid-out", { cents: 720 })], status: "PaymentProcessed" },
      { kind: "bound", state: "paid-out", entries: ["received 720"] },
    ],
    [
      "paid out with the amount of a refused loan",
      loan("paid-out", { cents: 720 }),
      { others: [otherLoan("paid-out", { cents: 720, refusal: "underpaid" })] },
      { kind: "refused", state: "paid-out", refusal: "underpaid", entries: ["received 720"] },
    ],
    [
      "paid out, in an old report",
      loan("paid-out", { updatedAt: 1 }),
      { stored: stored("active", { updatedAt: 2 }) },
      { kind: "bound", state: "paid-out", moved: "PaymentProcessed", entries: ["received 1200"] },
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toEqual(expected);
  });

  test("writes a payout report at the first payout only, with the provider's own amount", () => {
    const report = loan("paid-out", { amountText: "12.000", updatedAt: 5_000 });
    expect(consequences(report).payoutReport).toEqual({
      loanId: "loan",
      orderId: ORDER,
      amount: 1_200,
      currency: "USD",
      providerAmount: "12.000",
      paidAt: 5_000,
      seenAt: NOW,
    });
    expect(consequences(loan("paid-out")).payoutReport?.paidAt).toBe(NOW);
    expect(consequences(report, wasPaid).payoutReport).toBeUndefined();
  });
});

describe("a report after the payout", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: ConsequencesInShort]>([
    [
      "paid out still",
      loan("paid-out", { providerStatus: "reported as paid-out" }),
      wasPaid,
      { kind: "bound" },
    ],
    ["paid out in another status", loan("paid-out"), wasPaid, { kind: "bound", state: "paid-out" }],
    [
      "reversed",
      loan("ended"),
      wasPaid,
      {
        kind: "bound",
        state: "ended",
        entries: ["reversed -1200"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "reversed before",
      loan("ended", { providerStatus: "reported as ended" }),
      wasReversed,
      { kind: "bound" },
    ],
    [
      "paid out again",
      loan("paid-out"),
      wasReversed,
      {
        kind: "bound",
        state: "paid-out",
        entries: ["received 1200"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "active again",
      loan("active"),
      wasPaid,
      { kind: "bound", state: "paid-out", issues: ["changed-after-payout"] },
    ],
    [
      "that is repaid and still names no order",
      loan("paid-out", { orderId: undefined, providerStatus: "repaid" }),
      { ...wasPaid, stored: stored("paid-out", { namedOrderId: undefined }) },
      { kind: "bound", state: "paid-out" },
    ],
    [
      "in a dispute now",
      disputed(),
      wasPaid,
      { kind: "bound", state: "paid-out", issues: ["disputed"] },
    ],
    [
      "in a dispute still",
      disputed(),
      { ...wasPaid, stored: stored("paid-out", { providerStatus: "InDispute" }) },
      { kind: "bound" },
    ],
    [
      "of a higher amount",
      loan("paid-out", { cents: 1_500 }),
      wasPaid,
      {
        kind: "bound",
        state: "paid-out",
        entries: ["corrected 300"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "of a lower amount",
      loan("paid-out", { cents: 900 }),
      wasPaid,
      {
        kind: "bound",
        state: "paid-out",
        entries: ["corrected -300"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "of no worth",
      loan("paid-out", { cents: 0 }),
      wasPaid,
      {
        kind: "bound",
        state: "paid-out",
        entries: ["corrected -1200"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "of an unknown amount now",
      loan("paid-out", ofUnknownAmount),
      wasPaid,
      {
        kind: "bound",
        state: "paid-out",
        entries: ["corrected -1200 unknown 1"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "in euros now",
      loan("paid-out", inEuros),
      wasPaid,
      {
        kind: "bound",
        state: "paid-out",
        entries: ["corrected -1200", "corrected 1200 EUR"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "of a higher amount, of which staff waived the rest",
      loan("paid-out", { cents: 1_500 }),
      {
        stored: stored("paid-out", { cents: 720 }),
        entries: [received(720), entry("waived", 480)],
        status: "PaymentProcessed",
      },
      {
        kind: "bound",
        state: "paid-out",
        entries: ["corrected 780", "waived -480"],
        issues: ["changed-after-payout"],
      },
    ],
    [
      "for another order now",
      loan("paid-out", { orderId: OTHER_ORDER }),
      wasPaid,
      { kind: "bound", state: "paid-out", issues: ["changed-after-payout"] },
    ],
    [
      "underpaid still, of the whole amount by now",
      loan("paid-out"),
      wasUnderpaid,
      {
        kind: "refused",
        state: "paid-out",
        refusal: "underpaid",
        entries: ["corrected 480"],
        issues: ["changed-after-payout"],
      },
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toEqual(expected);
  });

  test("says all that changed in one sentence", () => {
    const report = loan("ended", { orderId: OTHER_ORDER, cents: 900, providerStatus: "Cancelled" });
    expect(consequences(report, wasPaid).newIssues).toMatchObject([
      {
        orderId: ORDER,
        detail: `It was paid out, and the provider changed it since: its status is Cancelled; it names order ${OTHER_ORDER}.`,
      },
    ]);
  });
});

describe("money without an order", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: ConsequencesInShort]>([
    [
      "that names an order now",
      loan("paid-out"),
      withoutOrder,
      {
        kind: "bound",
        state: "paid-out",
        moved: "PaymentProcessed",
        entries: ["transferred -1200 without an order", "transferred 1200"],
      },
    ],
    [
      "that names an order now, after a part was refunded",
      loan("paid-out"),
      {
        ...withoutOrder,
        entries: [...withoutOrder.entries, entry("refunded", 500, { orderId: undefined })],
      },
      {
        kind: "refused",
        state: "paid-out",
        refusal: "underpaid",
        entries: ["transferred -700 without an order", "transferred 700"],
      },
    ],
    [
      "that names an order now, after all of it was refunded",
      loan("paid-out"),
      {
        ...withoutOrder,
        entries: [...withoutOrder.entries, entry("refunded", 1_200, { orderId: undefined })],
      },
      {
        kind: "refused",
        state: "paid-out",
        refusal: "unknown-order",
        issues: ["changed-after-payout"],
      },
    ],
    [
      "that names an order now, after it was written off",
      loan("paid-out"),
      {
        ...withoutOrder,
        entries: [...withoutOrder.entries, entry("written-off", 1_200, { orderId: undefined })],
      },
      {
        kind: "refused",
        state: "paid-out",
        refusal: "unknown-order",
        issues: ["changed-after-payout"],
      },
    ],
    [
      "reversed, without an order",
      loan("ended", { orderId: undefined }),
      withoutOrder,
      {
        kind: "refused",
        state: "ended",
        refusal: "unknown-order",
        entries: ["reversed -1200 without an order"],
        issues: ["changed-after-payout"],
      },
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toEqual(expected);
  });
});
