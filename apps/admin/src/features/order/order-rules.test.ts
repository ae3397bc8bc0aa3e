import { expect, test } from "vitest";
import { emptyLedger } from "./ledger-builder.ts";
import { actionsOf, isNext } from "./order-rules.ts";

const euros = { ...emptyLedger, currency: "Eur", refundable: 1_200, refund_due: 1_200 };

test.each([
  ["Pending", ["correct-address", "cancel"]],
  ["PaymentProcessing", ["correct-address", "cancel"]],
  ["PaymentProcessed", ["ship", "correct-address", "cancel"]],
  ["Shipped", ["deliver", "correct-shipment"]],
  ["Delivered", ["erase"]],
  ["Cancelled", ["erase"]],
  ["Returned by a newer server", []],
])("a %s order offers %j", (status, actions) => {
  expect(actionsOf({ status, erased_at: null, ledger: emptyLedger })).toEqual(actions);
});

test.each([
  ["refundable", { refund_due: 1_250, refundable: 1_250 }],
  ["refundable in another currency", { other_currencies: [euros] }],
  ["of unknown amount", { unknown_amounts: 1 }],
])("a refund is offered while money is %s, and precedes erasing", (_, changes) => {
  const ledger = { ...emptyLedger, ...changes };
  expect(actionsOf({ status: "Cancelled", erased_at: null, ledger })).toEqual(["refund"]);
});

test("an erased order has no address to correct and nothing to erase", () => {
  expect(actionsOf({ status: "Cancelled", erased_at: 1, ledger: emptyLedger })).toEqual([]);
  expect(actionsOf({ status: "Pending", erased_at: 1, ledger: emptyLedger })).toEqual(["cancel"]);
});

test("a refund is the next action only while it is due", () => {
  expect(isNext("refund", { ledger: { ...emptyLedger, refund_due: 1, refundable: 1 } })).toBe(true);
  expect(isNext("refund", { ledger: { ...emptyLedger, refundable: 1 } })).toBe(false);
  expect(isNext("ship", { ledger: emptyLedger })).toBe(true);
  expect(isNext("correct-address", { ledger: emptyLedger })).toBe(false);
});
