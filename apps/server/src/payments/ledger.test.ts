import type { OrderStatus } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { type BookedMismatch, type Books, ledgerOf, type Refund, stillOwedFor } from "./ledger.ts";
import type { BoundLoan } from "./loan-repository.ts";

const loan = (id: string, changes: Partial<BoundLoan> = {}): BoundLoan => ({
  id,
  orderId: "order",
  word: "told as paid",
  standing: "paid",
  wasExtended: false,
  cents: 4_500,
  extends: undefined,
  boundAt: 1,
  updatedAt: 0,
  ...changes,
});
const mismatch = (
  contractId: string,
  kind: BookedMismatch["kind"],
  cents: number | undefined,
  resolution?: BookedMismatch["resolution"],
): BookedMismatch => ({ contractId, kind, cents, resolution, seenAt: 2 });
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
  mismatches: [],
  refunds: [],
  ...some,
});

type Sums = readonly [
  received: number,
  kept: number,
  owed: number,
  givenBack: number,
  missing: number,
];
const small = mismatch("small", "underpaid", 4_000);
const explained = { ...small, resolution: "explained" } as const;
const accepted = {
  loans: [loan("small", { cents: 4_000 })],
  mismatches: [{ ...small, resolution: "accepted" } as const],
};
const second = { loans: [loan("a"), loan("b")], mismatches: [mismatch("b", "second", 4_500)] };
const cancelled = { loans: [loan("a")], mismatches: [mismatch("a", "refund-owed", 4_500)] };

describe("the ledger of an order of $45", () => {
  test.each<[what: string, Books, Sums]>([
    [
      "not paid yet",
      books("Pending", { loans: [loan("a", { standing: "under-way" })] }),
      [0, 0, 0, 0, 0],
    ],
    ["paid", books("PaymentProcessed", { loans: [loan("a")] }), [4_500, 4_500, 0, 0, 0]],
    ["delivered", books("Delivered", { loans: [loan("a")] }), [4_500, 4_500, 0, 0, 0]],
    ["underpaid", books("Pending", { mismatches: [small] }), [4_000, 0, 0, 0, 0]],
    ["underpaid, then accepted", books("PaymentProcessed", accepted), [4_000, 4_000, 0, 0, 500]],
    ["accepted, then cancelled", books("Cancelled", accepted), [4_000, 0, 4_000, 0, 0]],
    [
      "underpaid, then a second loan covers it",
      books("PaymentProcessed", { loans: [loan("a")], mismatches: [small] }),
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
        mismatches: [...accepted.mismatches, mismatch("tiny", "underpaid", 1_000)],
      }),
      [5_000, 4_000, 1_000, 0, 500],
    ],
    [
      "underpaid and explained",
      books("Pending", { mismatches: [explained] }),
      [4_000, 4_000, 0, 0, 0],
    ],
    [
      "underpaid and explained, then paid",
      books("PaymentProcessed", { loans: [loan("a")], mismatches: [explained] }),
      [8_500, 8_500, 0, 0, 0],
    ],
    [
      "underpaid and given back, and then explained",
      books("Pending", { mismatches: [explained], refunds: [refund(4_000)] }),
      [4_000, 0, 0, 4_000, 0],
    ],
    [
      "underpaid, then cancelled",
      books("Cancelled", { mismatches: [small] }),
      [4_000, 0, 4_000, 0, 0],
    ],
    [
      "overpaid",
      books("PaymentProcessed", {
        loans: [loan("a", { cents: 5_500 })],
        mismatches: [mismatch("a", "overpaid", 1_000)],
      }),
      [5_500, 4_500, 1_000, 0, 0],
    ],
    [
      "overpaid, and the excess is explained",
      books("Shipped", {
        loans: [loan("a", { cents: 5_500 })],
        mismatches: [mismatch("a", "overpaid", 1_000, "explained")],
      }),
      [5_500, 5_500, 0, 0, 0],
    ],
    ["paid twice", books("PaymentProcessed", second), [9_000, 4_500, 4_500, 0, 0]],
    [
      "paid twice, the second given back",
      books("PaymentProcessed", { ...second, refunds: [refund(4_500)] }),
      [9_000, 4_500, 0, 4_500, 0],
    ],
    [
      "paid twice, the second explained",
      books("PaymentProcessed", {
        ...second,
        mismatches: [mismatch("b", "second", 4_500, "explained")],
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
        mismatches: [mismatch("a", "paid-after-cancel", 4_500)],
      }),
      [4_500, 0, 4_500, 0, 0],
    ],
    ["cancelled after it was paid", books("Cancelled", cancelled), [4_500, 0, 4_500, 0, 0]],
    [
      "cancelled, part given back",
      books("Cancelled", { ...cancelled, refunds: [refund(2_000)] }),
      [4_500, 0, 2_500, 2_000, 0],
    ],
    [
      "cancelled, given back in two parts",
      books("Cancelled", { ...cancelled, refunds: [refund(2_000), refund(2_500)] }),
      [4_500, 0, 0, 4_500, 0],
    ],
    [
      "paid, and the provider takes its word back",
      books("PaymentProcessed", {
        loans: [loan("a", { word: "told as cancelled" })],
        mismatches: [mismatch("a", "changed-after-paid", undefined)],
      }),
      [4_500, 4_500, 0, 0, 0],
    ],
    [
      "given back while it waited, and then paid by the same loan",
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
    const { received, kept, owed, givenBack, missing } = ledgerOf(some);
    expect([received, kept, owed, givenBack, missing]).toEqual(sums);
  });
});

test("the money of an underpaid order that waits is not owed, and may be given back", () => {
  expect(ledgerOf(books("PaymentProcessing", { mismatches: [small] }))).toMatchObject({
    owed: 0,
    refundable: 4_000,
  });
});

test("the entries are each loan that brought money and each refund, oldest first", () => {
  const { entries } = ledgerOf(
    books("Cancelled", { ...cancelled, mismatches: [small], refunds: [refund(100), refund(50)] }),
  );
  expect(entries.map(({ kind, cents }) => `${kind} ${cents}`)).toEqual([
    "received 4500",
    "received 4000",
    "given-back 100",
    "given-back 50",
  ]);
});

describe("what is still owed before a mismatch counts as given back", () => {
  const both = {
    loans: [loan("a", { cents: 5_500 }), loan("b")],
    mismatches: [mismatch("a", "overpaid", 1_000, "given_back"), mismatch("b", "second", 4_500)],
  };
  test.each<[what: string, BookedMismatch, Books, number | undefined]>([
    ["nothing was given back", small, books("Pending", { mismatches: [small] }), 4_000],
    ["part was", small, books("Pending", { mismatches: [small], refunds: [refund(1_500)] }), 2_500],
    ["all was", small, books("Pending", { mismatches: [small], refunds: [refund(4_000)] }), 0],
    [
      "an earlier refund was for another mismatch",
      mismatch("b", "second", 4_500),
      books("PaymentProcessed", { ...both, refunds: [refund(4_500)] }),
      1_000,
    ],
    [
      "two mismatches are about the same money",
      mismatch("a", "refund-owed", 5_500),
      books("Cancelled", {
        loans: [loan("a", { cents: 5_500 })],
        mismatches: [mismatch("a", "overpaid", 1_000, "given_back")],
        refunds: [refund(5_500)],
      }),
      0,
    ],
    [
      "part of the money was explained",
      mismatch("a", "refund-owed", 5_500),
      books("Cancelled", {
        loans: [loan("a", { cents: 5_500 })],
        mismatches: [mismatch("a", "overpaid", 1_000, "explained")],
        refunds: [refund(4_500)],
      }),
      0,
    ],
    [
      "it brought no money",
      mismatch("a", "dispute", undefined),
      books("PaymentProcessed", second),
      undefined,
    ],
  ])("%s", (_, one, some, cents) => {
    expect(stillOwedFor(one, { ...some, mismatches: [...some.mismatches, one] })).toBe(cents);
  });
});
