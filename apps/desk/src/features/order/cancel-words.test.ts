import { expect, test } from "vitest";
import { cancelWarning } from "./cancel-words.ts";

const order = { status: "Pending", ledger: { refundable: 0 }, contracts: [] };

test.each([
  ["paid", { status: "PaymentProcessed" }, /^This order is paid/],
  ["with a payment under way", { status: "PaymentProcessing" }, /cancelling does not stop it/],
  ["waiting, with another loan under way", { contracts: [{ meaning: "processing" }] }, /under way/],
  ["waiting, with money that does not pay it", { ledger: { refundable: 2_250 } }, /Money has come in/],
])("whoever cancels an order that is %s is told what becomes of the money", (_, changes, words) => {
  expect(cancelWarning({ ...order, ...changes })).toMatch(words);
});

test("an order without money is cancelled without a warning", () => {
  expect(cancelWarning(order)).toBeUndefined();
  expect(cancelWarning({ ...order, contracts: [{ meaning: "over" }] })).toBeUndefined();
});
