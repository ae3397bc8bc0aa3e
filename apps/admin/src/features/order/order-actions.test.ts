import { expect, test } from "vitest";
import { anOrder, aReturn, emptyLedger } from "../../lib/order.test-data.ts";
import { actionsOf, isNext, packingActionsOf } from "./order-actions.tsx";

const euros = { ...emptyLedger, currency: "Eur", refundable: 1_200, refund_due: 1_200 };

const items = [{ id: "pot", name: "Moka pot", price: 1_250, quantity: 1 }];

test.each([
  ["Pending", ["correct-address", "cancel"]],
  ["PaymentProcessing", ["correct-address", "cancel"]],
  ["PaymentProcessed", ["ship", "correct-address", "cancel"]],
  ["Shipped", ["deliver", "correct-shipment"]],
  ["Delivered", ["erase"]],
  ["Cancelled", ["erase"]],
  ["Returned by a newer server", []],
])("a %s order offers %j", (status, actions) => {
  expect(actionsOf(anOrder({ status }))).toEqual(actions);
});

test.each([
  ["Pending", []],
  ["PaymentProcessed", ["ship"]],
  ["Shipped", ["deliver", "correct-shipment"]],
  ["Delivered", []],
  ["Returned by a newer server", []],
])("a %s order offers packers %j", (status, actions) => {
  expect(packingActionsOf(anOrder({ status }))).toEqual(actions);
});

test.each([
  ["refundable", { refund_due: 1_250, refundable: 1_250 }],
  ["refundable in another currency", { other_currencies: [euros] }],
  ["of unknown amount", { unknown_amounts: 1 }],
])("a refund is offered while money is %s, and precedes erasing", (_, changes) => {
  const ledger = { ...emptyLedger, ...changes };
  expect(actionsOf(anOrder({ status: "Cancelled", ledger }))).toEqual(["refund"]);
});

test.each([
  ["PaymentProcessed", ["ship", "correct-address", "refund", "cancel"]],
  ["Delivered", ["refund", "erase"]],
  ["Cancelled", ["erase"]],
])("a %s order of which a refund can be granted offers %j", (status, actions) => {
  const ledger = { ...emptyLedger, grantable: 1_250 };
  expect(actionsOf(anOrder({ status, ledger }))).toEqual(actions);
  expect(actionsOf(anOrder({ status, erased_at: 1, ledger }))).not.toContain("refund");
});

test("an erased order has no address to correct and nothing to erase", () => {
  expect(actionsOf(anOrder({ status: "Cancelled", erased_at: 1 }))).toEqual([]);
  expect(actionsOf(anOrder({ status: "Pending", erased_at: 1 }))).toEqual(["cancel"]);
});

test("a refund is the next action only while it is due", () => {
  const withMoney = { ...emptyLedger, refundable: 1 };
  const due = { ...withMoney, refund_due: 1 };
  expect(isNext("refund", anOrder({ ledger: due }))).toBe(true);
  expect(isNext("refund", anOrder({ ledger: withMoney }))).toBe(false);
  expect(isNext("ship", anOrder())).toBe(true);
  expect(isNext("correct-address", anOrder())).toBe(false);
});

test.each([
  ["PaymentProcessed", false],
  ["Shipped", true],
  ["Delivered", true],
  ["Cancelled", false],
])("a %s order offers to open a return: %s", (status, isOffered) => {
  const shown = anOrder({ status, items });
  expect(actionsOf(shown).includes("return")).toBe(isOffered);
  expect(actionsOf({ ...shown, erased_at: 1 })).not.toContain("return");
});

test("an order with an open return is not erased, and offers none of its pieces again", () => {
  const opened = aReturn();
  const shown = anOrder({ status: "Delivered", items });
  expect(actionsOf({ ...shown, returns: [opened] })).toEqual([]);
  const grantable = { ...emptyLedger, grantable: 1_250 };
  const arrived = { ...opened, state: "received" };
  expect(actionsOf({ ...shown, ledger: grantable, returns: [arrived] })).toEqual(["refund"]);
  const declined = { ...opened, state: "declined" };
  expect(actionsOf({ ...shown, returns: [declined] })).toEqual(["return", "erase"]);
});
