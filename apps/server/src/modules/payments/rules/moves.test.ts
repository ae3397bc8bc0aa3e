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
import { kindOf } from "../../../../../../test/harness/outcomes.ts";
import { cancellationOf } from "./moves.ts";
import type { LoanAccount } from "./types.ts";

describe("a cancellation of an unpaid order", () => {
  /** The detail tells it from an order in a wrong status. */
  const PAID = "A loan has been paid out for the order.";
  type Some = Partial<LoanAccount> & {
    readonly status?: string;
    readonly unclear?: string[];
    readonly blockingIds?: string[];
  };
  test.each<[what: string, Some, expected: string]>([
    ["without loans", {}, "cancel"],
    ["whose loans ended", { loans: [stored("ended"), otherLoan("ended")] }, "cancel"],
    ["whose loan is active", { loans: [stored("active")] }, "loan_active"],
    ["whose loan is disputed", { loans: [stored("unknown")] }, "loan_active"],
    [
      "whose loan was presented without the key",
      { loans: [stored("active")], blockingIds: [] },
      "cancel",
    ],
    ["with a loan that pays it", { loans: [stored("paid-out")] }, PAID],
    ["with money that does not pay it", underpaid("Pending"), PAID],
    ["with money of unknown amount", unknown("Pending"), PAID],
    ["whose money was refunded", underpaid("Pending", entry("refunded", 720)), "cancel"],
    ["with a loan that the provider gave no answer about", { unclear: ["c"] }, "unavailable"],
    [
      "with one active and one without an answer",
      { loans: [stored("active")], unclear: ["c"] },
      "loan_active",
    ],
    [
      "that is paid",
      { status: "PaymentProcessed", loans: [stored("paid-out")] },
      "transition_refused",
    ],
    ["that is shipped", { status: "Shipped" }, "transition_refused"],
    ["in a newer status", { status: "Returned" }, "transition_refused"],
    [
      "that is cancelled",
      { status: "Cancelled", loans: [stored("active")], unclear: ["c"] },
      "unchanged",
    ],
  ])(
    "%s",
    (_, { status = "Pending", loans = [], entries = [], unclear = [], blockingIds }, expected) => {
      const order = { id: ORDER, status, total: 1_200 };
      const decision = cancellationOf({
        account: { order, loans, entries },
        unclear,
        blockingIds: blockingIds === undefined ? undefined : new Set(blockingIds),
      });
      const isPaid = decision.kind === "refused" && decision.details.detail === PAID;
      expect(isPaid ? PAID : kindOf(decision)).toBe(expected);
    },
  );

  test("makes all its money refund due", () => {
    expect(balancesOf(account("Cancelled")).shop.refundDue).toBe(1_200);
    const cancelled = account("Cancelled", { state: "ended" }, wasReversed.entries);
    expect(balancesOf(cancelled).shop.refundDue).toBe(0);
  });
});
