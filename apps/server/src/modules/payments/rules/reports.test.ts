import { describe, expect, test } from "vitest";
import { ORDER, otherLoan, stored } from "../../../../../../test/harness/loan-accounts.ts";
import {
  type ConsequencesInShort,
  consequences,
  consequencesInShort,
  disputed,
  type Facts,
  inEuros,
  loan,
  OTHER_ORDER,
  ofUnknownAmount,
  wasPaid,
} from "../../../../../../test/harness/loan-reports.ts";
import type { Loan } from "./types.ts";

describe("a report before the payout", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: ConsequencesInShort]>([
    [
      "that is active",
      loan("active"),
      {},
      { kind: "bound", state: "active", moved: "PaymentProcessing" },
    ],
    [
      "that is active again",
      loan("active"),
      { status: "PaymentProcessing" },
      { kind: "bound", state: "active" },
    ],
    [
      "that is active, for a cancelled order",
      loan("active"),
      { status: "Cancelled" },
      { kind: "bound", state: "active" },
    ],
    [
      "that ended",
      loan("ended"),
      { stored: stored("active"), status: "PaymentProcessing" },
      { kind: "bound", state: "ended", moved: "Pending" },
    ],
    [
      "that ended before it was bound",
      loan("ended"),
      {},
      { kind: "bound", state: "ended", moved: "record-failed-attempt" },
    ],
    [
      "that ended while another is active",
      loan("ended"),
      { stored: stored("active"), others: [otherLoan("active")], status: "PaymentProcessing" },
      { kind: "bound", state: "ended" },
    ],
    [
      "that ended while a refused payout waits for staff",
      loan("ended"),
      {
        stored: stored("active"),
        others: [otherLoan("paid-out", { refusal: "underpaid" })],
        status: "PaymentProcessing",
      },
      { kind: "bound", state: "ended", moved: "Pending" },
    ],
    ["in a dispute", disputed(), {}, { kind: "bound", state: "unknown", issues: ["disputed"] }],
    [
      "in a dispute after it was active",
      disputed(),
      { stored: stored("active") },
      { kind: "bound", state: "active", issues: ["disputed"] },
    ],
    [
      "of an unknown status",
      loan("unknown"),
      {},
      { kind: "bound", state: "unknown", issues: ["unrecognized"] },
    ],
    [
      "of a cent too little",
      loan("active", { cents: 1_199 }),
      {},
      { kind: "refused", issues: ["underpaid"] },
    ],
    ["in euros", loan("active", inEuros), {}, { kind: "refused", issues: ["wrong-currency"] }],
    [
      "of unknown amount",
      loan("active", ofUnknownAmount),
      {},
      { kind: "refused", issues: ["underpaid"] },
    ],
    ["for no order", loan("active", { orderId: undefined }), {}, { kind: "ignored" }],
    [
      "for an order of another shop",
      loan("active", { orderId: OTHER_ORDER }),
      {},
      { kind: "ignored" },
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toEqual(expected);
  });

  test("writes no email about money that has not come yet", () => {
    const [newIssue] = consequences(loan("active", { cents: 1_199 })).newIssues;
    expect(newIssue).toEqual({
      kind: "underpaid",
      loanId: "loan",
      orderId: ORDER,
      detail: "It lends $11.99; the order comes to $12.00.",
      withoutEmail: true,
    });
  });
});

describe("an old report", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: ConsequencesInShort]>([
    [
      "older than what is stored",
      loan("active", { updatedAt: 1 }),
      { ...wasPaid, stored: stored("paid-out", { updatedAt: 2, wasActive: true }) },
      { kind: "bound" },
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toEqual(expected);
  });

  test("still proves, when it is old, that the loan was active and extended", () => {
    const known = { ...wasPaid, stored: stored("paid-out", { updatedAt: 2 }) };
    const wasActive = consequences(loan("active", { updatedAt: 1 }), known);
    expect(wasActive.storedLoan).toEqual({ ...known.stored, wasActive: true });
    const extended = loan("paid-out", { updatedAt: 1, wasExtended: true, cents: 1 });
    expect(consequences(extended, known).storedLoan).toEqual({
      ...known.stored,
      wasExtended: true,
    });
  });
});
