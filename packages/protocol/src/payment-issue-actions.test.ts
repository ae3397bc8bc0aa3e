import { expect, test } from "vitest";
import { issueActions } from "./payment-issue-actions.ts";

type Issue = Parameters<typeof issueActions>[0];
const balance = {
  currency: "USD",
  refundable: 720,
  refund_due: 0,
  missing: 0,
  unknown_amount: false,
};
const underpaid: Issue = {
  kind: "underpaid",
  order_status: "Pending",
  open_amount: 720,
  refunded_amount: 0,
  balance,
  resolution: null,
};
const actions = (changes: Partial<Issue>) => issueActions({ ...underpaid, ...changes });

test.each<[what: string, changes: Partial<Issue>, expected: string[]]>([
  ["an underpaid loan of an order that awaits payment", {}, ["refund", "accept"]],
  [
    "a loan in another currency",
    { kind: "wrong-currency", balance: { ...balance, currency: "EUR" } },
    ["refund", "accept"],
  ],
  ["a loan of unknown amount", { open_amount: null }, ["refund", "accept", "write-off"]],
  ["an underpaid loan of a cancelled order", { order_status: "Cancelled" }, ["refund", "keep"]],
  ["an underpaid loan of a paid order", { order_status: "PaymentProcessed" }, ["refund", "keep"]],
  [
    "an underpaid loan of a paid order whose other payout was reversed",
    { order_status: "PaymentProcessed", open_amount: 0, balance: { ...balance, missing: 480 } },
    ["accept", "write-off", "dismiss"],
  ],
  ["a duplicate", { kind: "duplicate", order_status: "Shipped" }, ["refund", "keep"]],
  [
    "a loan without an order",
    { kind: "unknown-order", order_status: null },
    ["refund", "keep", "write-off"],
  ],
  [
    "a reversed payout",
    {
      kind: "changed-after-payout",
      order_status: "PaymentProcessed",
      open_amount: 0,
      balance: { ...balance, missing: 1_200 },
    },
    ["write-off", "dismiss"],
  ],
  ["a dispute", { kind: "disputed", open_amount: 0 }, ["dismiss"]],
  ["money that was refunded", { open_amount: 0, refunded_amount: 720 }, ["resolve"]],
])("the actions for %s", (_, changes, expected) => {
  expect(actions(changes)).toEqual(expected);
});

test("a resolved payment issue can be opened again, except after a refund", () => {
  const resolution = { kind: "accepted", note: "", by: "Ada", at: 1 };
  expect(actions({ resolution })).toEqual(["reopen"]);
  expect(actions({ resolution: { ...resolution, kind: "refunded" } })).toEqual([]);
});
