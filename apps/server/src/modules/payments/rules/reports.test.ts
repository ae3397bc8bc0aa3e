import { describe, expect, test } from "vitest";
import { ORDER, otherLoan, stored } from "../../../../../../test/harness/loan-accounts.ts";
import {
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
import type { Loan } from "../loans/loan-provider.ts";

// The rows end with consequences in short: see `consequencesInShort`.

describe("a report before the payout", () => {
  test.each<[what: string, report: Loan, facts: Facts, expected: string]>([
    ["that is active", loan("active"), {}, "bound, active, → PaymentProcessing"],
    ["that is active again", loan("active"), { status: "PaymentProcessing" }, "bound, active, -"],
    [
      "that is active, for a cancelled order",
      loan("active"),
      { status: "Cancelled" },
      "bound, active, -",
    ],
    [
      "that ended",
      loan("ended"),
      { stored: stored("active"), status: "PaymentProcessing" },
      "bound, ended, → Pending",
    ],
    ["that ended before it was bound", loan("ended"), {}, "bound, ended, record-failed-attempt"],
    [
      "that ended while another is active",
      loan("ended"),
      { stored: stored("active"), others: [otherLoan("active")], status: "PaymentProcessing" },
      "bound, ended, -",
    ],
    [
      "that ended while a refused payout waits for staff",
      loan("ended"),
      {
        stored: stored("active"),
        others: [otherLoan("paid-out", { refusal: "underpaid" })],
        status: "PaymentProcessing",
      },
      "bound, ended, → Pending",
    ],
    ["in a dispute", disputed(), {}, "bound, unknown, -, ! disputed"],
    [
      "in a dispute after it was active",
      disputed(),
      { stored: stored("active") },
      "bound, active, -, ! disputed",
    ],
    ["of an unknown status", loan("unknown"), {}, "bound, unknown, -, ! unrecognized"],
    ["of a cent too little", loan("active", { cents: 1_199 }), {}, "refused, -, -, ! underpaid"],
    ["in euros", loan("active", inEuros), {}, "refused, -, -, ! wrong-currency"],
    ["of unknown amount", loan("active", ofUnknownAmount), {}, "refused, -, -, ! underpaid"],
    ["for no order", loan("active", { orderId: undefined }), {}, "ignored, -, -"],
    ["for an order of another shop", loan("active", { orderId: OTHER_ORDER }), {}, "ignored, -, -"],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toBe(expected);
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
  test.each<[what: string, report: Loan, facts: Facts, expected: string]>([
    [
      "older than what is stored",
      loan("active", { updatedAt: 1 }),
      { ...wasPaid, stored: stored("paid-out", { updatedAt: 2, wasActive: true }) },
      "bound, -, -",
    ],
  ])("%s", (_, report, facts, expected) => {
    expect(consequencesInShort(consequences(report, facts))).toBe(expected);
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
