import { balancesOf } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import {
  account,
  entry,
  ORDER,
  otherLoan,
  stored,
  underpaid,
  unknown,
} from "../../../../../../test/harness/loan-accounts.ts";
import { wasReversed } from "../../../../../../test/harness/loan-reports.ts";
import { cancellationOf } from "./moves.ts";
import type { LoanAccount } from "./types.ts";

describe("a cancellation of an unpaid order", () => {
  type Some = Partial<LoanAccount> & {
    readonly status?: string;
    readonly unclear?: string[];
    readonly blockingIds?: string[];
  };
  test.each<[what: string, Some, expected: string]>([
    ["without loans", {}, "cancel"],
    ["whose loans ended", { loans: [stored("ended"), otherLoan("ended")] }, "cancel"],
    ["whose loan is active", { loans: [stored("active")] }, "loan-active"],
    ["whose loan is disputed", { loans: [stored("unknown")] }, "loan-active"],
    [
      "whose loan was presented without the key",
      { loans: [stored("active")], blockingIds: [] },
      "cancel",
    ],
    ["with a loan that pays it", { loans: [stored("paid-out")] }, "paid"],
    ["with money that does not pay it", underpaid("Pending"), "paid"],
    ["with money of unknown amount", unknown("Pending"), "paid"],
    ["whose money was refunded", underpaid("Pending", entry("refunded", 720)), "cancel"],
    ["with a loan that the provider gave no answer about", { unclear: ["c"] }, "undecided"],
    [
      "with one active and one without an answer",
      { loans: [stored("active")], unclear: ["c"] },
      "loan-active",
    ],
    ["that is paid", { status: "PaymentProcessed", loans: [stored("paid-out")] }, "refused"],
    ["that is shipped", { status: "Shipped" }, "refused"],
    ["in a newer status", { status: "Returned" }, "refused"],
    [
      "that is cancelled",
      { status: "Cancelled", loans: [stored("active")], unclear: ["c"] },
      "unchanged",
    ],
  ])(
    "%s",
    (_, { status = "Pending", loans = [], entries = [], unclear = [], blockingIds }, expected) => {
      const order = { id: ORDER, status, total: 1_200 };
      const { kind } = cancellationOf({
        account: { order, loans, entries },
        unclear,
        blockingIds: blockingIds === undefined ? undefined : new Set(blockingIds),
      });
      expect(kind).toBe(expected);
    },
  );

  test("makes all its money refund due", () => {
    expect(balancesOf(account("Cancelled")).shop.refundDue).toBe(1_200);
    const cancelled = account("Cancelled", { state: "ended" }, wasReversed.entries);
    expect(balancesOf(cancelled).shop.refundDue).toBe(0);
  });
});
