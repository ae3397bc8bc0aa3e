/** The balances of an account, recomputed from the entries of its journal. */
import { SHOP } from "./payout.ts";
import type { Entry } from "./wire.ts";

/** Sums over entries of one currency, in cents. */
export interface Sums {
  readonly received: number;
  readonly refunded: number;
  readonly kept: number;
  /** With what was granted. */
  readonly waived: number;
  readonly granted: number;
  readonly writtenOff: number;
}

export interface Balance {
  readonly received: number;
  readonly refunded: number;
  readonly kept: number;
  readonly refundable: number;
  readonly refundDue: number;
  readonly missing: number;
  readonly granted: number;
  readonly grantable: number;
}

/** The kinds of entries that say how much money an order has got. */
export const receivedKinds = ["received", "reversed", "corrected", "extension", "transferred"];

function sumOf(entries: readonly Entry[], ...kinds: readonly string[]): number {
  return entries
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { amount }) => sum + (amount ?? 0), 0);
}

export function sumsOf(entries: readonly Entry[], currency: string): Sums {
  const own = entries.filter((entry) => entry.currency === currency);
  return {
    received: sumOf(own, ...receivedKinds),
    refunded: sumOf(own, "refunded") - sumOf(own, "refund-reversed"),
    kept: keptOf(own),
    waived: Math.max(0, sumOf(own, "waived")),
    granted: sumOf(
      own.filter(({ grant }) => grant !== null),
      "waived",
    ),
    writtenOff: Math.max(0, sumOf(own, "written-off")),
  };
}

/** What staff keep of each loan, at most what it brought. */
function keptOf(entries: readonly Entry[]): number {
  const byLoan = Map.groupBy(entries, ({ loan_id }) => loan_id);
  const kept = [...byLoan.values()].map((own) =>
    Math.min(sumOf(own, "kept"), sumOf(own, ...receivedKinds)),
  );
  return kept.reduce((sum, amount) => sum + Math.max(0, amount), 0);
}

export function isAwaiting(status: string): boolean {
  return status === "Pending" || status === "PaymentProcessing";
}

export function isPaid(status: string): boolean {
  return !isAwaiting(status) && status !== "Cancelled";
}

/** What an order costs; money without an order has none. */
export type Price = { readonly status: string; readonly total: number } | undefined;

/** The balance of an account in one currency. */
export function balanceOf(
  { received, refunded, kept, waived, granted, writtenOff }: Sums,
  price: Price,
  currency: string,
): Balance {
  const net = received - refunded;
  const isPrice = price !== undefined && currency === SHOP && isPaid(price.status);
  const required = isPrice ? Math.max(0, price.total - waived) : 0;
  const grantable = Math.min(Math.max(net, 0), required);
  // Money without an order that is written off stays with the shop.
  const decided = kept + (price === undefined ? writtenOff : 0);
  const keptBesides = Math.min(decided, Math.max(0, net - required));
  const refundable = Math.max(0, net - required - keptBesides);
  return {
    received,
    refunded,
    kept: grantable + keptBesides,
    refundable,
    refundDue: price !== undefined && isAwaiting(price.status) ? 0 : refundable,
    missing: Math.max(0, required - net - (price === undefined ? 0 : writtenOff)),
    granted: isPrice ? Math.min(granted, price.total) : 0,
    grantable,
  };
}

/** The currencies of entries, the shop's own first. */
export function currenciesOf(entries: readonly Entry[]): readonly string[] {
  return [...new Set([SHOP, ...entries.map(({ currency }) => currency)])];
}

/**
 * Every sum of money that a journal has had, in cents: each entry, and each balance after each
 * entry, of all loans and of each. What the shop shows of an order's money must be one of them.
 */
export function sumsEver(entries: readonly Entry[], total: number): ReadonlySet<number> {
  const sums = new Set<number>([0, total]);
  const loans = new Set(entries.map(({ loan_id }) => loan_id));
  const parts = [entries, ...[...loans].map((id) => entries.filter((one) => one.loan_id === id))];
  for (const currency of currenciesOf(entries)) {
    for (const some of parts.flatMap((all) => all.map((_, last) => all.slice(0, last + 1)))) {
      const before = sumsOf(some, currency);
      for (const status of ["Pending", "PaymentProcessed", "Cancelled"])
        for (const amount of Object.values(balanceOf(before, { status, total }, currency)))
          sums.add(amount);
      for (const amount of Object.values(before)) sums.add(amount);
      const net = before.received - before.refunded;
      for (const amount of [net, total - net, net - total, total - before.waived]) sums.add(amount);
    }
  }
  for (const { amount } of entries) sums.add(Math.abs(amount ?? 0));
  return sums;
}
