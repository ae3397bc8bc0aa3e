import type { MerchantMismatch } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { cardsOf } from "./cards.ts";

const money: MerchantMismatch = {
  ...{ id: "money", contract_id: "loan", order_id: "unknown", order_status: null, kind: "foreign" },
  ...{ detail: "It was paid out.", amount: 2_400, seen_at: 2, resolution: null },
};
const question: MerchantMismatch = {
  ...{ ...money, id: "question", order_id: "order", order_status: "Pending" },
  ...{ detail: "It names another order.", amount: null },
};
const resolution = { kind: "explained", note: "", by: "Ada", at: 3 };
const shown = (...mismatches: MerchantMismatch[]) =>
  cardsOf(mismatches).map(({ mismatch, companions }) => [
    mismatch.id,
    companions.map(({ id }) => id),
  ]);

test("a loan that was presented for an order and paid out for another is one card", () => {
  expect(shown(question, money)).toEqual([["money", ["question"]]]);
  expect(shown(money, question)).toEqual([["money", ["question"]]]);
});

test.each([
  ["before the money has come", [question]],
  ["of another loan", [{ ...question, contract_id: "other" }, money]],
  ["once its money is seen to", [question, { ...money, resolution }]],
  ["of a kind that asks something else", [{ ...question, kind: "dispute" as const }, money]],
])("a mismatch without an amount stays a card of its own: %s", (_, mismatches) => {
  expect(shown(...mismatches)).toEqual(mismatches.map(({ id }) => [id, []]));
});
