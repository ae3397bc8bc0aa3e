import { describe, expect, test } from "vitest";
import { nextText } from "./status-labels.ts";

const shown = { status: "Pending", error: undefined, attemptFailed: false, hasLoanId: true };

describe("the next step", () => {
  test("is empty if no loan is found, because the error says what to do", () => {
    expect(nextText(shown)).toBe("It is confirmed as soon as the lender reports your loan.");
    expect(nextText({ ...shown, error: "ContractNotFound" })).toBe("");
    expect(nextText({ ...shown, attemptFailed: true, error: "ContractNotFound" })).toBe("");
  });

  test("is a new payment when the last one has failed", () => {
    expect(nextText({ ...shown, attemptFailed: true })).toBe(
      "It is confirmed as soon as a new payment succeeds.",
    );
  });

  test("after a cancellation names a loan only if the page has a loan id", () => {
    expect(nextText({ ...shown, status: "Cancelled" })).toContain("If a loan was paid out");
    expect(nextText({ ...shown, status: "Cancelled", hasLoanId: false })).toBe(
      "Nothing will be shipped.",
    );
  });

  test("after a refund is the refunded amount, also if the page has no loan id", () => {
    for (const hasLoanId of [true, false])
      expect(nextText({ ...shown, status: "Cancelled", hasLoanId, refunded: 1_850 })).toBe(
        "Nothing will be shipped. The shop has refunded $18.50.",
      );
    expect(nextText({ ...shown, status: "Shipped", refunded: 1_850 })).not.toContain("refunded");
  });
});
