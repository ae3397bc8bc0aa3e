import { expect, test } from "vitest";
import { emptyLedger } from "./ledger.test-data.ts";
import { actionsOf, isNext, packingActionsOf } from "./order-rules.ts";

const euros = { ...emptyLedger, currency: "Eur", refundable: 1_200, refund_due: 1_200 };

const items = [{ id: "pot", name: "Moka pot", price: 1_250, quantity: 1 }];
const order = { items: [] };

test.each([
  ["Pending", ["correct-address", "cancel"]],
  ["PaymentProcessing", ["correct-address", "cancel"]],
  ["PaymentProcessed", ["ship", "correct-address", "cancel"]],
  ["Shipped", ["deliver", "correct-shipment"]],
  ["Delivered", ["erase"]],
  ["Cancelled", ["erase"]],
  ["Returned by a newer server", []],
])("a %s order offers %j", (status, actions) => {
  expect(actionsOf({ ...order, status, erased_at: null, ledger: emptyLedger })).toEqual(actions);
});

test.each([
  ["Pending", []],
  ["PaymentProcessed", ["ship"]],
  ["Shipped", ["deliver", "correct-shipment"]],
  ["Delivered", []],
  ["Returned by a newer server", []],
])("a %s order offers packers %j", (status, actions) => {
  expect(packingActionsOf({ status })).toEqual(actions);
});

test.each([
  ["refundable", { refund_due: 1_250, refundable: 1_250 }],
  ["refundable in another currency", { other_currencies: [euros] }],
  ["of unknown amount", { unknown_amounts: 1 }],
])("a refund is offered while money is %s, and precedes erasing", (_, changes) => {
  const ledger = { ...emptyLedger, ...changes };
  expect(actionsOf({ ...order, status: "Cancelled", erased_at: null, ledger })).toEqual(["refund"]);
});

test.each([
  ["PaymentProcessed", ["ship", "correct-address", "refund", "cancel"]],
  ["Delivered", ["refund", "erase"]],
  ["Cancelled", ["erase"]],
])("a %s order of which a refund can be granted offers %j", (status, actions) => {
  const ledger = { ...emptyLedger, grantable: 1_250 };
  expect(actionsOf({ ...order, status, erased_at: null, ledger })).toEqual(actions);
  expect(actionsOf({ ...order, status, erased_at: 1, ledger })).not.toContain("refund");
});

test("an erased order has no address to correct and nothing to erase", () => {
  expect(actionsOf({ ...order, status: "Cancelled", erased_at: 1, ledger: emptyLedger })).toEqual(
    [],
  );
  expect(actionsOf({ ...order, status: "Pending", erased_at: 1, ledger: emptyLedger })).toEqual([
    "cancel",
  ]);
});

test("a refund is the next action only while it is due", () => {
  expect(isNext("refund", { ledger: { ...emptyLedger, refund_due: 1, refundable: 1 } })).toBe(true);
  expect(isNext("refund", { ledger: { ...emptyLedger, refundable: 1 } })).toBe(false);
  expect(isNext("ship", { ledger: emptyLedger })).toBe(true);
  expect(isNext("correct-address", { ledger: emptyLedger })).toBe(false);
});

test.each([
  ["PaymentProcessed", false],
  ["Shipped", true],
  ["Delivered", true],
  ["Cancelled", false],
])("a %s order offers to open a return: %s", (status, isOffered) => {
  const shown = { status, items, erased_at: null, ledger: emptyLedger };
  expect(actionsOf(shown).includes("return")).toBe(isOffered);
  expect(actionsOf({ ...shown, erased_at: 1 })).not.toContain("return");
});

test("an order with an open return is not erased, and offers none of its pieces again", () => {
  const opened = {
    id: "return",
    state: "accepted",
    lines: [{ item_id: "pot", quantity: 1 }],
    reason: "broken",
    message: null,
    by: "staff",
    by_name: "Ada",
    refund_id: null,
    opened_at: 1,
    changed_at: 1,
  };
  const shown = { status: "Delivered", items, erased_at: null, ledger: emptyLedger };
  expect(actionsOf({ ...shown, returns: [opened] })).toEqual([]);
  const grantable = { ...emptyLedger, grantable: 1_250 };
  const arrived = { ...opened, state: "received" };
  expect(actionsOf({ ...shown, ledger: grantable, returns: [arrived] })).toEqual(["refund"]);
  const declined = { ...opened, state: "declined" };
  expect(actionsOf({ ...shown, returns: [declined] })).toEqual(["return", "erase"]);
});
