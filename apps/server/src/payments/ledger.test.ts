import type { OrderStatus } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { type BookedIssue, type Books, ledgerOf, type Refund, refundDueFor } from "./ledger.ts";
import type { BoundLoan } from "./loan-repository.ts";

const loan = (id: string, changes: Partial<BoundLoan> = {}): BoundLoan => ({
  id,
  orderId: "order",
  providerStatus: "told as paid",
  state: "paid-out",
  wasExtended: false,
  cents: 4_500,
  extends: undefined,
  boundAt: 1,
  updatedAt: 0,
  ...changes,
});
const issue = (
  loanId: string,
  kind: BookedIssue["kind"],
  cents: number | undefined,
  resolution?: BookedIssue["resolution"],
): BookedIssue => ({ loanId, kind, cents, resolution, seenAt: 2 });
const refund = (cents: number): Refund => ({
  id: `refund of ${cents}`,
  cents,
  method: "bank",
  reference: undefined,
  byName: "Ada",
  at: 3,
});

/** The books of an order of 45 dollars. */
const books = (status: OrderStatus | "Returned", some: Partial<Books> = {}): Books => ({
  order: { status, total: 4_500 },
  loans: [],
  issues: [],
  refunds: [],
  ...some,
});

type Sums = readonly [
  received: number,
  kept: number,
  refundDue: number,
  refunded: number,
  missing: number,
];
const small = issue("small", "underpaid", 4_000);
const dismissed = { ...small, resolution: "dismissed" } as const;
const accepted = {
  loans: [loan("small", { cents: 4_000 })],
  issues: [{ ...small, resolution: "accepted" } as const],
};
const second = { loans: [loan("a"), loan("b")], issues: [issue("b", "duplicate", 4_500)] };
const cancelled = { loans: [loan("a")], issues: [issue("a", "paid-after-cancel", 4_500)] };

describe("the ledger of an order of $45", () => {
  test.each<[what: string, Books, Sums]>([
    [
      "not paid yet",
      books("Pending", { loans: [loan("a", { state: "active" })] }),
      [0, 0, 0, 0, 0],
    ],
    ["paid", books("PaymentProcessed", { loans: [loan("a")] }), [4_500, 4_500, 0, 0, 0]],
    ["delivered", books("Delivered", { loans: [loan("a")] }), [4_500, 4_500, 0, 0, 0]],
    ["underpaid", books("Pending", { issues: [small] }), [4_000, 0, 0, 0, 0]],
    ["underpaid, then accepted", books("PaymentProcessed", accepted), [4_000, 4_000, 0, 0, 500]],
    ["accepted, then cancelled", books("Cancelled", accepted), [4_000, 0, 4_000, 0, 0]],
    [
      "underpaid, then a second loan covers it",
      books("PaymentProcessed", { loans: [loan("a")], issues: [small] }),
      [8_500, 4_500, 4_000, 0, 0],
    ],
    [
      "accepted, then a second loan covers it",
      books("PaymentProcessed", { ...accepted, loans: [...accepted.loans, loan("a")] }),
      [8_500, 4_500, 4_000, 0, 0],
    ],
    [
      "accepted, and another small loan",
      books("PaymentProcessed", {
        ...accepted,
        issues: [...accepted.issues, issue("tiny", "underpaid", 1_000)],
      }),
      [5_000, 4_000, 1_000, 0, 500],
    ],
    ["underpaid and dismissed", books("Pending", { issues: [dismissed] }), [4_000, 4_000, 0, 0, 0]],
    [
      "underpaid and dismissed, then paid",
      books("PaymentProcessed", { loans: [loan("a")], issues: [dismissed] }),
      [8_500, 8_500, 0, 0, 0],
    ],
    [
      "underpaid and refunded, and then dismissed",
      books("Pending", { issues: [dismissed], refunds: [refund(4_000)] }),
      [4_000, 0, 0, 4_000, 0],
    ],
    ["underpaid, then cancelled", books("Cancelled", { issues: [small] }), [4_000, 0, 4_000, 0, 0]],
    [
      "overpaid",
      books("PaymentProcessed", {
        loans: [loan("a", { cents: 5_500 })],
        issues: [issue("a", "overpaid", 1_000)],
      }),
      [5_500, 4_500, 1_000, 0, 0],
    ],
    [
      "overpaid, and the excess is kept",
      books("Shipped", {
        loans: [loan("a", { cents: 5_500 })],
        issues: [issue("a", "overpaid", 1_000, "dismissed")],
      }),
      [5_500, 5_500, 0, 0, 0],
    ],
    ["paid twice", books("PaymentProcessed", second), [9_000, 4_500, 4_500, 0, 0]],
    [
      "paid twice, the second refunded",
      books("PaymentProcessed", { ...second, refunds: [refund(4_500)] }),
      [9_000, 4_500, 0, 4_500, 0],
    ],
    [
      "paid twice, the second kept",
      books("PaymentProcessed", {
        ...second,
        issues: [issue("b", "duplicate", 4_500, "dismissed")],
      }),
      [9_000, 9_000, 0, 0, 0],
    ],
    [
      "paid, and the loan was extended",
      books("PaymentProcessed", {
        loans: [loan("a", { wasExtended: true }), loan("b", { extends: "a" })],
      }),
      [4_500, 4_500, 0, 0, 0],
    ],
    [
      "paid after it was cancelled or had expired",
      books("Cancelled", {
        loans: [loan("a")],
        issues: [issue("a", "paid-after-cancel", 4_500)],
      }),
      [4_500, 0, 4_500, 0, 0],
    ],
    ["cancelled after it was paid", books("Cancelled", cancelled), [4_500, 0, 4_500, 0, 0]],
    [
      "cancelled, part refunded",
      books("Cancelled", { ...cancelled, refunds: [refund(2_000)] }),
      [4_500, 0, 2_500, 2_000, 0],
    ],
    [
      "cancelled, refunded in two parts",
      books("Cancelled", { ...cancelled, refunds: [refund(2_000), refund(2_500)] }),
      [4_500, 0, 0, 4_500, 0],
    ],
    [
      "paid, and the provider cancels the loan",
      books("PaymentProcessed", {
        loans: [loan("a", { providerStatus: "told as cancelled" })],
        issues: [issue("a", "changed-after-payout", undefined)],
      }),
      [4_500, 4_500, 0, 0, 0],
    ],
    [
      "refunded while it waited, and then paid by the same loan",
      books("PaymentProcessed", { loans: [loan("a")], refunds: [refund(4_500)] }),
      [4_500, 0, 0, 4_500, 4_500],
    ],
    [
      "paid by a loan of an early version, whose amount is not known",
      books("Cancelled", { loans: [loan("a", { cents: undefined })] }),
      [4_500, 0, 4_500, 0, 0],
    ],
    ["in a status of a newer version", books("Returned", second), [9_000, 4_500, 4_500, 0, 0]],
  ])("that is %s", (_, some, sums) => {
    const { received, kept, refundDue, refunded, missing } = ledgerOf(some);
    expect([received, kept, refundDue, refunded, missing]).toEqual(sums);
  });
});

test("the money of an underpaid order that awaits payment is not due, and may be refunded", () => {
  expect(ledgerOf(books("PaymentProcessing", { issues: [small] }))).toMatchObject({
    refundDue: 0,
    refundable: 4_000,
  });
});

test("the entries are each loan that brought money and each refund, oldest first", () => {
  const { entries } = ledgerOf(
    books("Cancelled", { ...cancelled, issues: [small], refunds: [refund(100), refund(50)] }),
  );
  expect(entries.map(({ kind, cents }) => `${kind} ${cents}`)).toEqual([
    "received 4500",
    "received 4000",
    "refunded 100",
    "refunded 50",
  ]);
});

describe("the refund due before a payment issue counts as refunded", () => {
  const both = {
    loans: [loan("a", { cents: 5_500 }), loan("b")],
    issues: [issue("a", "overpaid", 1_000, "refunded"), issue("b", "duplicate", 4_500)],
  };
  test.each<[what: string, BookedIssue, Books, number | undefined]>([
    ["nothing was refunded", small, books("Pending", { issues: [small] }), 4_000],
    ["part was", small, books("Pending", { issues: [small], refunds: [refund(1_500)] }), 2_500],
    ["all was", small, books("Pending", { issues: [small], refunds: [refund(4_000)] }), 0],
    [
      "an earlier refund was for another payment issue",
      issue("b", "duplicate", 4_500),
      books("PaymentProcessed", { ...both, refunds: [refund(4_500)] }),
      1_000,
    ],
    [
      "two payment issues are about the same money",
      issue("a", "paid-after-cancel", 5_500),
      books("Cancelled", {
        loans: [loan("a", { cents: 5_500 })],
        issues: [issue("a", "overpaid", 1_000, "refunded")],
        refunds: [refund(5_500)],
      }),
      0,
    ],
    [
      "part of the money was kept",
      issue("a", "paid-after-cancel", 5_500),
      books("Cancelled", {
        loans: [loan("a", { cents: 5_500 })],
        issues: [issue("a", "overpaid", 1_000, "dismissed")],
        refunds: [refund(4_500)],
      }),
      0,
    ],
    [
      "it brought no money",
      issue("a", "disputed", undefined),
      books("PaymentProcessed", second),
      undefined,
    ],
  ])("%s", (_, one, some, cents) => {
    expect(refundDueFor(one, { ...some, issues: [...some.issues, one] })).toBe(cents);
  });
});
