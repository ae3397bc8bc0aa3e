import { expect, test } from "vitest";
import { awaitsPayout, refundToRecord, resolutionOptions } from "./resolution-options.ts";

const underpaid = { kind: "underpaid", amount: 600, order_status: "Pending" } as const;
const available = (changes: Partial<Parameters<typeof resolutionOptions>[0]>) =>
  resolutionOptions({ ...underpaid, ...changes })
    .filter(({ unavailable }) => unavailable === undefined)
    .map(({ kind }) => kind);

test("an underpaid loan of an order that awaits payment can be resolved in all three ways", () => {
  expect(available({})).toEqual(["refunded", "accepted", "dismissed"]);
});

test.each([
  ["another kind of payment issue", { kind: "overpaid" }],
  ["an order that is cancelled", { order_status: "Cancelled" }],
  ["an order with a status of a newer server", { order_status: "Refunded" }],
  ["an order that the shop does not have", { order_status: null }],
] as const)("a loan cannot be accepted as payment for %s", (_, changes) => {
  expect(available(changes)).toEqual(["refunded", "dismissed"]);
});

test("a payment issue without a received amount can only be dismissed", () => {
  expect(available({ amount: null })).toEqual(["dismissed"]);
});

test("an underpaid loan or one of an unknown order awaits its payout until an amount is received", () => {
  const detail = "It names no order.";
  for (const kind of ["underpaid", "unknown-order"] as const) {
    expect(awaitsPayout({ kind, detail, amount: null })).toBe(true);
    expect(awaitsPayout({ kind, detail, amount: 600 })).toBe(false);
  }
  expect(awaitsPayout({ kind: "disputed", detail, amount: null })).toBe(false);
});

test("a loan whose money is with another order does not await its payout", () => {
  const detail = "It belongs to order a, and named order b when it was paid out.";
  expect(awaitsPayout({ kind: "unknown-order", detail, amount: null })).toBe(false);
});

test("the refund that is still due is recorded with the resolution as refunded", () => {
  expect(refundToRecord("refunded", { refund_due: 250 })).toBe(250);
  expect(refundToRecord("refunded", {})).toBe(0);
  expect(refundToRecord("refunded", undefined)).toBe(0);
  expect(refundToRecord("dismissed", { refund_due: 250 })).toBe(0);
});
