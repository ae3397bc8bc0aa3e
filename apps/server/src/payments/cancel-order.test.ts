import type { OrderStatus } from "@keepsats/domain";
import type { LoanState } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { decideCancellation } from "./cancel-order.ts";

interface Situation {
  readonly status?: OrderStatus | "Returned";
  readonly loans?: readonly LoanState[];
  readonly hasStrayMoney?: boolean;
  readonly unseen?: readonly string[];
}

test.each<[string, Situation, string]>([
  ["that nobody has begun to pay", {}, "cancel"],
  ["whose loans are over", { loans: ["ended", "ended"] }, "cancel"],
  [
    "that counts as being paid while its loans are over",
    { status: "PaymentProcessing", loans: ["ended"] },
    "cancel",
  ],
  [
    "with a loan under way",
    { status: "PaymentProcessing", loans: ["ended", "active"] },
    "loan-under-way",
  ],
  ["with a loan that is bound but has not moved it", { loans: ["active"] }, "loan-under-way"],
  ["with a disputed loan", { loans: ["unknown"] }, "loan-under-way"],
  ["with a paid loan that has not moved it", { loans: ["paid-out"] }, "paid"],
  ["with money that does not pay it", { hasStrayMoney: true }, "paid"],
  [
    "with a loan about which the provider gave no answer",
    { loans: ["ended"], unseen: ["c"] },
    "undecided",
  ],
  [
    "with one under way and another without an answer",
    { loans: ["active"], unseen: ["c"] },
    "loan-under-way",
  ],
  ["that is paid", { status: "PaymentProcessed", loans: ["paid-out"] }, "refused"],
  ["that is shipped", { status: "Shipped" }, "refused"],
  ["that is delivered", { status: "Delivered" }, "refused"],
  ["with a status of a newer version", { status: "Returned" }, "refused"],
  [
    "that was cancelled before",
    { status: "Cancelled", loans: ["active"], unseen: ["c"] },
    "unchanged",
  ],
])("a cancellation by the shopper of an order %s: %j → %s", (_, situation, expected) => {
  const { status = "Pending", loans = [], hasStrayMoney = false, unseen = [] } = situation;
  const bound = loans.map((state, index) => ({ id: `loan ${index}`, state }));
  expect(decideCancellation({ status, loans: bound, hasStrayMoney, unseen }).kind).toBe(expected);
});
