import { expect, test } from "vitest";
import { cancelWarning } from "./cancel-warning.ts";

const noMoney = { received: 0, refunded: 0, refundable: 0 };
const order = { status: "Pending", ledger: noMoney, loans: [] };

test.each([
  [
    "paid",
    { status: "PaymentProcessed", ledger: { ...noMoney, received: 4_600, refunded: 100 } },
    /^This order is paid. If you cancel it, \$45.00 must be refunded/,
  ],
  ["with a payment under way", { status: "PaymentProcessing" }, /cancelling does not stop it/],
  ["pending, with an active loan", { loans: [{ state: "active" }] }, /is active/],
  [
    "pending, with money that does not pay it",
    { ledger: { ...noMoney, received: 2_250, refundable: 2_250 } },
    /received .* \$22.50 must be refunded/,
  ],
])("cancelling an order that is %s warns of the refund", (_, changes, warning) => {
  expect(cancelWarning({ ...order, ...changes })).toMatch(warning);
});

test("an order without money is cancelled without a warning", () => {
  expect(cancelWarning(order)).toBeUndefined();
  expect(cancelWarning({ ...order, loans: [{ state: "ended" }] })).toBeUndefined();
});
