import { describe, expect, test } from "vitest";
import {
  account,
  decisionInShort,
  entry,
  euros,
  granted,
  grantReversed,
  paidTwice,
  received,
  stray,
  underpaid,
  unknown,
} from "../../../../../../test/harness/loan-accounts.ts";
import { kindOf } from "../../../../../../test/harness/outcomes.ts";
import { type NewRefund, refundOf } from "./refunds.ts";
import type { LoanAccount } from "./types.ts";

describe("a refund", () => {
  const refund = (amount: number, changes: Partial<NewRefund> = {}): NewRefund => ({
    refundId: "refund",
    amount,
    method: "bank",
    ...changes,
  });
  const forIssue = { issue: { id: "issue", loanId: "loan" } };
  const done = entry("refunded", 500, { loanId: undefined, refundId: "refund", method: "bank" });

  test.each<[what: string, NewRefund, LoanAccount, expected: string]>([
    ["of all that is due", refund(1_200), account("Cancelled"), "-, refunded 1200"],
    ["of a part", refund(500), account("Cancelled"), "-, refunded 500"],
    ["of a cent too much", refund(1_201), account("Cancelled"), "more_than_refundable"],
    ["of a paid order", refund(1), account("PaymentProcessed"), "more_than_refundable"],
    ["of money that awaits its order", refund(720), underpaid("Pending"), "-, refunded 720"],
    ["in dollars for euros", refund(1), euros("Pending"), "more_than_refundable"],
    ["in euros", refund(1_200, { currency: "EUR" }), euros("Pending"), "-, refunded 1200 EUR"],
    [
      "in the currency of its issue",
      refund(1_200, forIssue),
      euros("Pending"),
      "-, refunded 1200 EUR",
    ],
    [
      "of an unknown amount",
      refund(9_000, forIssue),
      unknown("Pending"),
      "-, corrected 9000 unknown -1, refunded 9000",
    ],
    [
      "of an unknown amount, after $12.00 of it were refunded while it was known",
      refund(500, { ...forIssue, refundId: "next" }),
      {
        ...unknown("Cancelled"),
        entries: [...unknown("Cancelled").entries, { ...done, amount: 1_200 }],
      },
      "-, corrected 1700 unknown -1, refunded 500",
    ],
    [
      "of money without an order",
      refund(1_200, forIssue),
      stray,
      "-, refunded 1200 without an order",
    ],
    [
      "of a cent too much of money without an order",
      refund(1_201, forIssue),
      stray,
      "more_than_refundable",
    ],
    [
      "that staff have seen",
      refund(500, { refundId: "next", expectedRefunded: 500 }),
      account("Cancelled", {}, [received(), done]),
      "-, refunded 500",
    ],
    [
      "that staff have not seen",
      refund(500, { refundId: "next", expectedRefunded: 0 }),
      account("Cancelled", {}, [received(), done]),
      "refunds_changed",
    ],
    [
      "that is repeated",
      refund(500, { expectedRefunded: 0 }),
      account("Cancelled", {}, [received(), done]),
      "repeated",
    ],
    [
      "that is repeated after the order was erased",
      refund(500),
      account("Cancelled", {}, [received(), { ...done, method: undefined }]),
      "repeated",
    ],
    [
      "that is repeated with another amount",
      refund(501),
      account("Cancelled", {}, [received(), done]),
      "idempotency_conflict",
    ],
    [
      "that is granted",
      refund(500, { grant: "return" }),
      account("Shipped"),
      "-, waived 500, refunded 500",
    ],
    [
      "that is granted as a whole",
      refund(1_200, { grant: "goodwill" }),
      account("PaymentProcessed"),
      "-, waived 1200, refunded 1200",
    ],
    [
      "that is granted a cent too much",
      refund(1_201, { grant: "return" }),
      account("Shipped"),
      "more_than_refundable",
    ],
    [
      "that is granted of the rest",
      refund(700, { grant: "return" }),
      granted(500),
      "-, waived 700, refunded 700",
    ],
    [
      "that is granted beyond the rest",
      refund(701, { grant: "return" }),
      granted(500),
      "more_than_refundable",
    ],
    ["that is granted while money is due", refund(1, { grant: "return" }), paidTwice, "refund_due"],
    [
      "that is granted of an unpaid order",
      refund(1, { grant: "return" }),
      underpaid("Pending"),
      "not_grantable",
    ],
    [
      "that is granted of a cancelled order",
      refund(1, { grant: "return" }),
      account("Cancelled"),
      "not_grantable",
    ],
    [
      "that is granted of an order in a newer status",
      refund(1, { grant: "return" }),
      account("Returned"),
      "not_grantable",
    ],
    [
      "that is granted of money without an order",
      refund(1, { grant: "return" }),
      stray,
      "not_grantable",
    ],
    [
      "that is granted twice",
      refund(500, { refundId: "grant", grant: "return" }),
      granted(500),
      "repeated",
    ],
    [
      "that is granted again without a grant",
      refund(500, { refundId: "grant" }),
      granted(500),
      "idempotency_conflict",
    ],
    [
      "that was granted and did not arrive",
      refund(500, { refundId: "next" }),
      granted(500, grantReversed(500)),
      "-, refunded 500",
    ],
  ])("%s", (_, request, some, expected) => {
    const decision = refundOf(request, some);
    const text =
      decision.kind === "recorded"
        ? decisionInShort({ ...decision, kind: "decided", move: undefined, storedLoan: undefined })
        : kindOf(decision);
    expect(text).toBe(expected);
  });
});

test("a granted refund names the loan that pays the order, and takes off no loan", () => {
  const request = { refundId: "refund", amount: 500, method: "bank", grant: "return" } as const;
  expect(refundOf(request, account("Shipped"))).toMatchObject({
    entries: [
      { kind: "waived", loanId: undefined, refundId: "refund", grant: "return" },
      { kind: "refunded", loanId: "loan", refundId: "refund", grant: "return" },
    ],
  });
});
