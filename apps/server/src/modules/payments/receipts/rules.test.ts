import { describe, expect, test } from "vitest";
import { entry, received } from "../../../../../../test/harness/loan-accounts.ts";
import type { AccountEntry } from "../rules/index.ts";
import type { IssuedReceipt } from "./receipt-repository.ts";
import { missingCreditNotes, type ReceiptFacts, receiptContent, waivedIn } from "./rules.ts";

const seller = { name: "Pots & Co", address: "1 Kiln Lane", tax_number: null };
const issued_on = "2026-11-27";

/** 2 pots at 19 % and a book at 7 %, for $12.00 together. */
const order = {
  id: "order",
  total_price: 1_200,
  items: [
    { id: "pot", name: "Pot", price: 400, quantity: 2 },
    { id: "book", name: "Book", price: 400, quantity: 1 },
  ],
};
const lines = [
  { rate: 1_900, gross: 800 },
  { rate: 700, gross: 400 },
];

describe("a receipt", () => {
  const content = (waived: number) =>
    receiptContent({ issued_on, seller, price: 1_200, lines, waived });

  test("states the price of the order and the rate of each line", () => {
    expect(content(0)).toMatchObject({ total: 1_200, reduction: 0, rates: [1_900, 700] });
  });

  test("states the price less what staff waived", () => {
    expect(content(300)).toMatchObject({
      total: 900,
      reduction: 300,
      vat: [
        { rate: 1_900, gross: 600 },
        { rate: 700, gross: 300 },
      ],
    });
  });

  test("states the whole price if staff waived all of it for money in another currency", () => {
    expect(content(1_200)).toMatchObject({ total: 1_200, reduction: 0 });
  });

  test("is not lower for what staff waived with a granted refund", () => {
    const grant = entry("waived", 200, { grant: "goodwill" });
    expect(waivedIn([received(900), entry("waived", 300), grant])).toBe(300);
  });
});

describe("a credit note", () => {
  const receipt: IssuedReceipt = {
    orderId: "order",
    sequence: 0,
    refundId: null,
    issuedAt: 1,
    content: receiptContent({ issued_on, seller, price: 1_200, lines, waived: 0 }),
  };
  const at = (time: number, one: AccountEntry) => ({ ...one, at: time });
  const refunded = (refundId: string, amount: number, changes: Partial<AccountEntry> = {}) =>
    entry("refunded", amount, { refundId, loanId: undefined, ...changes });
  const missing = (changes: Partial<ReceiptFacts>) =>
    missingCreditNotes({
      status: "PaymentProcessed",
      cancelledAt: undefined,
      entries: [],
      order,
      refundLines: [],
      issued: [receipt],
      ...changes,
    });
  const creditNoteFor = (refundId: string, total: number): IssuedReceipt => ({
    ...receipt,
    sequence: 1,
    refundId,
    content: {
      ...receipt.content,
      total,
      rates: [],
      vat: [{ rate: 1_900, gross: total, vat: 0 }],
    },
  });

  test("is missing for a granted refund, with the rates of its lines", () => {
    const entries = [at(2, refunded("one", 400, { grant: "return" }))];
    const refundLines = [{ refund_id: "one", item_id: "book", quantity: 1 }];
    expect(missing({ entries, refundLines })).toEqual([
      { refundId: "one", total: 400, vat: [{ rate: 700, gross: 400, vat: 26 }], reason: "return" },
    ]);
  });

  test("is missing for a refund after the cancellation, but not for one before", () => {
    const entries = [at(2, refunded("before", 100)), at(4, refunded("after", 500))];
    const status = "Cancelled";
    expect(missing({ status, cancelledAt: 3, entries })).toMatchObject([
      { refundId: "after", total: 500, reason: "cancellation" },
    ]);
  });

  test("is missing for the refund that is being recorded for a cancelled order", () => {
    const entries = [at(2, refunded("current", 500))];
    const facts = { status: "Cancelled", cancelledAt: 3, entries };
    expect(missing({ ...facts, current: "current" })).toMatchObject([{ refundId: "current" }]);
  });

  test.each<[refund: string, changes: Partial<ReceiptFacts>]>([
    ["of an order that is not cancelled", { entries: [at(2, refunded("one", 500))] }],
    [
      "in another currency",
      { entries: [at(2, refunded("one", 500, { currency: "EUR", grant: "goodwill" }))] },
    ],
    [
      "that has one already",
      {
        entries: [at(2, refunded("one", 500, { grant: "goodwill" }))],
        issued: [receipt, creditNoteFor("one", 500)],
      },
    ],
    [
      "of an order without a receipt",
      { entries: [at(2, refunded("one", 500, { grant: "goodwill" }))], issued: [] },
    ],
  ])("is not missing for a refund %s", (_, changes) => {
    expect(missing(changes)).toEqual([]);
  });

  test("and earlier ones are together at most the price of the receipt", () => {
    const status = "Cancelled";
    const entries = [at(4, refunded("one", 1_000)), at(5, refunded("two", 500))];
    expect(missing({ status, cancelledAt: 3, entries })).toMatchObject([
      { refundId: "one", total: 1_000 },
      { refundId: "two", total: 200 },
    ]);
    const more = [...entries, at(6, refunded("three", 100))];
    expect(missing({ status, cancelledAt: 3, entries: more })).toHaveLength(2);
  });
});
