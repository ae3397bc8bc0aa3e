import {
  type AccountEntry,
  type LoanAccount,
  newEntry,
  type StaffDecision,
  type StoredLoan,
} from "../../apps/server/src/modules/payments/rules/index.ts";
import type { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { aStoredLoan } from "./builders.ts";

// Loans, entries and accounts for the tests of the rules about money. The order costs $12.00.

export const ORDER = "aaaaaaaa-0000-4000-8000-000000000000";

export const stored = (state: StoredLoan["state"], changes: Partial<StoredLoan> = {}): StoredLoan =>
  aStoredLoan({
    id: "loan",
    orderId: ORDER,
    namedOrderId: ORDER,
    providerStatus: `reported as ${state}`,
    state,
    wasActive: state === "active",
    cents: 1_200,
    paidOutAt: state === "paid-out" ? 1 : undefined,
    updatedAt: 0,
    ...changes,
  });
export const otherLoan = (state: StoredLoan["state"], changes: Partial<StoredLoan> = {}) =>
  stored(state, { id: "other", ...changes });

type EntryChanges = Partial<AccountEntry>;
export const entry = (kind: AccountEntry["kind"], amount: number, changes: EntryChanges = {}) =>
  newEntry(kind, { amount, currency: "USD", loanId: "loan", orderId: ORDER, ...changes });
export const received = (amount = 1_200, changes: EntryChanges = {}) =>
  entry("received", amount, changes);

/** Entries in short, such as `received 1200` or `corrected 0 EUR unknown -1 without an order`. */
export function entriesInShort(entries: readonly AccountEntry[]): string[] {
  return entries.map(({ kind, amount, unknown, currency, orderId }) =>
    [
      kind,
      amount,
      ...(currency === "USD" ? [] : [currency]),
      ...(unknown === 0 ? [] : [`unknown ${unknown}`]),
      ...(orderId === ORDER
        ? []
        : [orderId === undefined ? "without an order" : "of another order"]),
    ].join(" "),
  );
}

/**
 * A decision in short: the move, the loan's refusal if it changes, and the entries; or a refusal.
 */
export function decisionInShort(decision: StaffDecision | Refusal): string {
  if (decision.kind === "refused") return decision.code;
  const { move, storedLoan, entries } = decision;
  return [
    move?.kind === "status" ? `→ ${move.to}` : "-",
    ...(storedLoan === undefined ? [] : [`refusal ${storedLoan.refusal ?? "none"}`]),
    ...entriesInShort(entries),
  ].join(", ");
}

export const withoutOrder = {
  stored: stored("paid-out", {
    orderId: undefined,
    namedOrderId: undefined,
    refusal: "unknown-order",
  }),
  entries: [received(1_200, { orderId: undefined })],
} as const;

/** The account of an order with one loan that was paid out. */
export function account(
  status: string,
  changes: Partial<StoredLoan> = {},
  entries: readonly AccountEntry[] = [received(changes.cents ?? 1_200)],
): LoanAccount {
  return {
    order: { id: ORDER, status, total: 1_200 },
    loans: [stored("paid-out", changes)],
    entries,
  };
}

export const underpaid = (status: string, ...entries: AccountEntry[]) =>
  account(status, { cents: 720, refusal: "underpaid" }, [received(720), ...entries]);
export const euros = (status: string) =>
  account(status, { currency: "EUR", refusal: "wrong-currency" }, [
    received(1_200, { currency: "EUR" }),
  ]);
export const unknown = (status: string) =>
  account(status, { cents: undefined, amountText: "1e2", refusal: "underpaid" }, [
    received(0, { unknown: 1 }),
  ]);
export const reversed = account("PaymentProcessed", { state: "ended" }, [
  received(),
  entry("reversed", -1_200),
]);
export const stray: LoanAccount = {
  order: undefined,
  loans: [withoutOrder.stored],
  entries: withoutOrder.entries,
};
/** An order that two loans of $12.00 have paid. */
export const paidTwice: LoanAccount = {
  ...account("PaymentProcessed"),
  loans: [stored("paid-out"), otherLoan("paid-out", { paidOutAt: 2 })],
  entries: [received(), received(1_200, { loanId: "other" })],
};

/** A paid order with a granted refund, and further entries. */
export const granted = (amount: number, ...entries: readonly AccountEntry[]) =>
  account("Delivered", {}, [
    received(),
    entry("waived", amount, { loanId: undefined, refundId: "grant", grant: "return" }),
    entry("refunded", amount, { refundId: "grant", method: "bank", grant: "return" }),
    ...entries,
  ]);
export const grantReversed = (amount: number) =>
  entry("refund-reversed", amount, { refundId: "grant" });
