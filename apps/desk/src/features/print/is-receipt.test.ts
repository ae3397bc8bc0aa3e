import { expect, test } from "vitest";
import { isReceipt } from "./is-receipt.ts";

test.each([
  ["Pending", 0, false],
  ["Pending", 100, false],
  ["PaymentProcessing", 0, false],
  ["PaymentProcessed", 100, true],
  ["Shipped", 100, true],
  ["Delivered", 100, true],
  ["Cancelled", 0, false],
  ["Cancelled", 100, true],
])("an order that is %s and brought %i cents has a receipt: %s", (status, received, expected) => {
  expect(isReceipt({ status, ledger: { received } })).toBe(expected);
});
