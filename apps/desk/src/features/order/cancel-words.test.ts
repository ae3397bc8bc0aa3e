import type { MerchantMismatch } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { cancelWarning, openIssues } from "./cancel-words.ts";

const noMoney = { received: 0, given_back: 0, refundable: 0 };
const order = { status: "Pending", ledger: noMoney, contracts: [] };

test.each([
  [
    "paid",
    { status: "PaymentProcessed", ledger: { ...noMoney, received: 4_600, given_back: 100 } },
    /^This order is paid. If you cancel it, \$45.00 must be refunded/,
  ],
  ["with a payment under way", { status: "PaymentProcessing" }, /cancelling does not stop it/],
  ["waiting, with another loan under way", { contracts: [{ meaning: "processing" }] }, /is active/],
  [
    "waiting, with money that does not pay it",
    { ledger: { ...noMoney, received: 2_250, refundable: 2_250 } },
    /received .* \$22.50 must be refunded/,
  ],
])("whoever cancels an order that is %s is told what becomes of the money", (_, changes, words) => {
  expect(cancelWarning({ ...order, ...changes })).toMatch(words);
});

test("an order without money is cancelled without a warning", () => {
  expect(cancelWarning(order)).toBeUndefined();
  expect(cancelWarning({ ...order, contracts: [{ meaning: "over" }] })).toBeUndefined();
});

const issue = (
  kind: MerchantMismatch["kind"],
  resolution: MerchantMismatch["resolution"] = null,
) => ({
  ...{
    id: kind,
    contract_id: "c",
    order_id: "o",
    order_status: "Cancelled",
    kind,
    detail: "",
    amount: 4_500,
  },
  ...{ seen_at: 0, resolution },
});

test.each([
  ["no issue", [], undefined, undefined],
  ["a refund that is due", [issue("refund-owed")], undefined, "Refund due: $45.00."],
  ["a dispute", [issue("dispute")], "1 payment issue.", undefined],
  [
    "both",
    [issue("dispute"), issue("second"), issue("refund-owed")],
    "2 payment issues.",
    "Refund due: $45.00.",
  ],
  [
    "a refund that was recorded",
    [issue("refund-owed", { kind: "given_back", note: "", by: "Ada", at: 1 })],
    undefined,
    undefined,
  ],
])("an order with %s says so", (_, mismatches, issues, refund) => {
  expect(openIssues({ mismatches, ledger: { owed: 4_500 } })).toEqual({ issues, refund });
});
