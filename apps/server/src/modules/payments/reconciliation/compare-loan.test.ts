import { describe, expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import { newEntry } from "../rules/index.ts";
import {
  compareLoan,
  type JournaledLoan,
  journaledLoan,
  unknownLoan,
  unlistedLoan,
  unreadableLoan,
} from "./compare-loan.ts";

const stored = (entry: ReturnType<typeof newEntry>, at: number) => ({
  ...entry,
  id: `entry-${at}`,
  at,
  byName: "provider",
  reason: undefined,
});
const received = (amount: number, currency = "USD", unknown = 0) =>
  newEntry("received", { amount, unknown, currency, loanId: "loan", orderId: "order" });
const reversed = (amount: number) =>
  newEntry("reversed", { amount: -amount, currency: "USD", loanId: "loan", orderId: "order" });

function journaled(...entries: ReturnType<typeof newEntry>[]): JournaledLoan {
  const orders = new Map([["order", { number: "K-10023", total: 4_500 }]]);
  const loan = journaledLoan("loan", entries.map(stored), orders);
  if (loan === undefined) throw new Error("it was never paid out");
  return loan;
}
const paidOut = (changes = {}) => aLoan({ state: "paid-out", ...changes });

describe("a loan of the journal and of the provider is", () => {
  test("the same with one amount and currency", () => {
    expect(compareLoan(journaled(received(4_500)), paidOut())).toMatchObject({
      match: "same",
      loan_id: "loan",
      order_id: "order",
      order_number: "K-10023",
      paid_at: 0,
      shop: { amount: 4_500, currency: "USD" },
      provider: { amount: 4_500, currency: "USD" },
    });
  });
  test("the same within half a cent of its order's total, as in the journal", () => {
    const loan = paidOut({ cents: 4_499, exactCents: 4_499.999_999_9 });
    expect(compareLoan(journaled(received(4_500)), loan).match).toBe("same");
  });
  test("different with another amount, or in another currency", () => {
    expect(
      compareLoan(journaled(received(4_500)), paidOut({ cents: 4_400, exactCents: 4_400 })),
    ).toMatchObject({
      match: "different",
      provider: { amount: 4_400 },
    });
    const crowns = paidOut({ otherAsset: "Crowns" });
    expect(compareLoan(journaled(received(4_500)), crowns).match).toBe("different");
    expect(compareLoan(journaled(received(4_500, "Crowns")), crowns).match).toBe("same");
  });
  test.each(["active", "ended"] as const)(
    "different if the provider reports it as %s: that is no money",
    (state) => {
      expect(compareLoan(journaled(received(4_500)), aLoan({ state }))).toMatchObject({
        match: "different",
        provider: { amount: 0 },
      });
    },
  );
  test("the same if it was reversed, and has ended at the provider", () => {
    const both = journaled(received(4_500), reversed(4_500));
    expect(compareLoan(both, aLoan({ state: "ended" })).match).toBe("same");
    expect(unlistedLoan(both).match).toBe("same");
    expect(compareLoan(both, paidOut()).match).toBe("different");
  });
  test("different in a dispute, which proves no payment", () => {
    const disputed = aLoan({ state: "unknown", isDisputed: true });
    expect(compareLoan(journaled(received(4_500)), disputed)).toMatchObject({
      match: "different",
      provider: { amount: null },
    });
  });
  test("the same if neither knows the amount", () => {
    const loan = paidOut({ cents: undefined });
    expect(compareLoan(journaled(received(0, "USD", 1)), loan).match).toBe("same");
  });
  test("different if the provider's report cannot be read", () => {
    expect(unreadableLoan(journaled(received(4_500)))).toMatchObject({
      match: "different",
      provider: null,
    });
  });
});

test("a loan that only one of them has has no amount of the other", () => {
  expect(unlistedLoan(journaled(received(4_500)))).toMatchObject({
    match: "only-shop",
    provider: null,
  });
  expect(unknownLoan(paidOut({ orderId: "order" }))).toMatchObject({
    match: "only-provider",
    order_id: "order",
    shop: null,
    provider: { amount: 4_500 },
  });
});

test("a loan without a payout is not in the journal", () => {
  expect(journaledLoan("loan", [], new Map())).toBeUndefined();
});
