import { expect, test } from "vitest";
import { stillToRecord, waitsForPayout, waysOf } from "./ways.ts";

const underpaid = { kind: "underpaid", amount: 600, order_status: "Pending" } as const;
const possible = (changes: Partial<Parameters<typeof waysOf>[0]>) =>
  waysOf({ ...underpaid, ...changes })
    .filter(({ barred }) => barred === undefined)
    .map(({ kind }) => kind);

test("an underpaid loan of an order that waits for money can be resolved in all three ways", () => {
  expect(possible({})).toEqual(["given_back", "accepted", "explained"]);
});

test.each([
  ["another kind of mismatch", { kind: "overpaid" }],
  ["an order that is cancelled", { order_status: "Cancelled" }],
  ["an order with a status of a newer server", { order_status: "Refunded" }],
  ["an order that the shop does not have", { order_status: null }],
] as const)("nothing is taken as the payment for %s", (_, changes) => {
  expect(possible(changes)).toEqual(["given_back", "explained"]);
});

test("before money is known to have come in, it can only be explained", () => {
  expect(possible({ amount: null })).toEqual(["explained"]);
});

test("a mismatch waits for its payout while no amount was received", () => {
  for (const kind of ["underpaid", "foreign", "reused"] as const) {
    expect(waitsForPayout({ kind, amount: null })).toBe(true);
    expect(waitsForPayout({ kind, amount: 600 })).toBe(false);
  }
  expect(waitsForPayout({ kind: "dispute", amount: null })).toBe(false);
});

test("what is still owed of a mismatch is to be recorded, if it was given back", () => {
  expect(stillToRecord("given_back", { still_owed: 250 })).toBe(250);
  expect(stillToRecord("given_back", {})).toBe(0);
  expect(stillToRecord("given_back", undefined)).toBe(0);
  expect(stillToRecord("explained", { still_owed: 250 })).toBe(0);
});
