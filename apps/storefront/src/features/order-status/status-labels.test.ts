import { describe, expect, test } from "vitest";
import { nextText } from "./status-labels.ts";

const pending = { status: "Pending" };
const failed = { ...pending, payment_attempt_failed: true };
const cancelled = { status: "Cancelled" };
const shown = { error: undefined, hasLoanId: true };

describe("the next step", () => {
  test("is empty if no loan is found, because the error says what to do", () => {
    expect(nextText(pending, shown)).toBe(
      "It is confirmed as soon as the lender reports your loan.",
    );
    expect(nextText(pending, { ...shown, error: "ContractNotFound" })).toBe("");
    expect(nextText(failed, { ...shown, error: "ContractNotFound" })).toBe("");
  });

  test("is a new payment when the last one has failed", () => {
    expect(nextText(failed, shown)).toBe("It is confirmed as soon as a new payment succeeds.");
  });

  test("after a cancellation names a loan only if the page has a loan id", () => {
    expect(nextText(cancelled, shown)).toContain("If a loan was paid out");
    expect(nextText(cancelled, { ...shown, hasLoanId: false })).toBe("Nothing will be shipped.");
  });

  test("after a refund is the refunded amount, also if the page has no loan id", () => {
    for (const hasLoanId of [true, false])
      expect(nextText({ ...cancelled, refunded: 1_850 }, { ...shown, hasLoanId })).toBe(
        "Nothing will be shipped. The shop has refunded $18.50.",
      );
    expect(nextText({ status: "Shipped", refunded: 1_850 }, shown)).not.toContain("refunded");
  });
});
