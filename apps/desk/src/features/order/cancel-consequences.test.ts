import { expect, test } from "vitest";
import { cancelConsequences, underWayText } from "./cancel-consequences.ts";

const noMoney = {
  ...{ received: 0, refunded: 0, kept: 0, refundable: 0, refund_due: 0, unknown_amounts: 0 },
  other_currencies: [],
  entries: [],
};
const order = { ledger: noMoney, loans: [] };

test.each([
  ["without money", {}, "No money was received: nothing to refund."],
  [
    "with money",
    { ledger: { ...noMoney, received: 4_600, refunded: 100 } },
    "To refund: $45.00. It is then listed under Payments.",
  ],
  [
    "with money of unknown amount",
    { ledger: { ...noMoney, unknown_amounts: 1 } },
    "To refund: an unknown amount. It is then listed under Payments.",
  ],
])("cancelling an order %s says what becomes of the money", (_, changes, text) => {
  expect(cancelConsequences({ ...order, ...changes })).toEqual([text]);
});

test.each(["active", "unknown"])("a loan that is %s may still be paid out", (state) => {
  const loans = [
    { id: "a", state },
    { id: "b", state: "ended" },
  ];
  expect(cancelConsequences({ ...order, loans })[1]).toMatch(/^1 loan may still be paid out: /);
});

test("after the cancellation the loans under way are named", () => {
  expect(underWayText([])).toBe("");
  expect(underWayText([{}, {}])).toMatch(/^2 loans may still be paid out\./);
});
