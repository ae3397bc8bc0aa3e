import { expect, test } from "vitest";
import { actionsOf, isNext } from "./order-rules.ts";

const nothing = { refund_due: 0, refundable: 0 };

test.each([
  ["Pending", ["correct-address", "cancel"]],
  ["PaymentProcessing", ["correct-address", "cancel"]],
  ["PaymentProcessed", ["ship", "correct-address", "cancel"]],
  ["Shipped", ["deliver", "correct-shipment"]],
  ["Delivered", ["correct-shipment", "erase"]],
  ["Cancelled", ["erase"]],
  ["Returned by a newer server", []],
])("an order that is %s offers %j", (status, actions) => {
  expect(actionsOf({ status, erased_at: null, ledger: nothing })).toEqual(actions);
});

test("a refund is offered while money is refundable, and precedes erasing", () => {
  const ledger = { refund_due: 1_250, refundable: 1_250 };
  expect(actionsOf({ status: "Cancelled", erased_at: null, ledger })).toEqual(["refund"]);
});

test("an erased order has no address to correct and nothing to erase", () => {
  expect(actionsOf({ status: "Cancelled", erased_at: 1, ledger: nothing })).toEqual([]);
  expect(actionsOf({ status: "Pending", erased_at: 1, ledger: nothing })).toEqual(["cancel"]);
});

test("a refund is the next action only while it is due", () => {
  expect(isNext("refund", { ledger: { refund_due: 1, refundable: 1 } })).toBe(true);
  expect(isNext("refund", { ledger: { refund_due: 0, refundable: 1 } })).toBe(false);
  expect(isNext("ship", { ledger: { refund_due: 0, refundable: 0 } })).toBe(true);
  expect(isNext("correct-address", { ledger: { refund_due: 0, refundable: 0 } })).toBe(false);
});
