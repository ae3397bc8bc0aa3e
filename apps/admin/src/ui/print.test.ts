import { expect, test } from "vitest";
import { hasReceipt, hasSlip } from "./print.tsx";

test.each([
  ["Pending", false],
  ["PaymentProcessing", false],
  ["PaymentProcessed", true],
  ["Shipped", true],
  ["Delivered", true],
  ["Cancelled", false],
  ["Returned by a newer server", true],
])("a %s order has a slip: %s", (status, slip) => {
  expect(hasSlip({ status })).toBe(slip);
});

test.each([
  [["Pending", "PaymentProcessing"], false],
  [["Pending", "PaymentProcessing", "PaymentProcessed"], true],
  [["Pending", "PaymentProcessed", "Cancelled"], true],
  [["Pending", "Cancelled"], false],
])("an order that was %j has a receipt: %s", (statuses, receipt) => {
  expect(hasReceipt({ events: statuses.map((to) => ({ to })) })).toBe(receipt);
});
