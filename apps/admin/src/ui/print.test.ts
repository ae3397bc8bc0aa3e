import { expect, test } from "vitest";
import { hasReceipt, hasSlip } from "./print.tsx";

test.each([
  ["Pending", 100, false, false],
  ["PaymentProcessing", 0, false, false],
  ["PaymentProcessed", 100, true, true],
  ["Shipped", 100, true, true],
  ["Delivered", 100, true, true],
  ["Cancelled", 0, false, false],
  ["Cancelled", 100, false, true],
  ["Returned by a newer server", 0, true, true],
])(
  "a %s order that received %i cents has a slip: %s, a receipt: %s",
  (status, received, slip, receipt) => {
    expect(hasSlip({ status })).toBe(slip);
    expect(hasReceipt({ status, ledger: { received } })).toBe(receipt);
  },
);
