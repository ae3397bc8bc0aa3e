/**
 * Recalculates the balances of an account from its journal, in another way than `balancesOf` of
 * `packages/domain`, whose sums the shop shows.
 */
import { shopCurrency } from "@keepsats/domain";

/** A journal entry; an unknown amount is 0. */
export interface CountedEntry {
  readonly kind: string;
  /** In hundredths of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly loanId: string | null;
  /** The kind of a granted refund. */
  readonly grant: string | null;
}

/** An order and its entries, or the entries of a loan without an order. */
export interface CountedAccount {
  readonly order: { readonly status: string; readonly total: number } | undefined;
  readonly entries: readonly CountedEntry[];
}

/** Sums over the entries of one currency, in its hundredths. */
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
  /** The part of the price that the shop has. */
  readonly grantable: number;
}

/** The kinds of entries that say how much money an account has received. */
export const receivedKinds = ["received", "reversed", "corrected", "extension", "transferred"];

export function sumOf(entries: readonly CountedEntry[], ...kinds: readonly string[]): number {
  return entries
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { amount }) => sum + amount, 0);
}

export function sumsOf({ order, entries }: CountedAccount, currency: string): Sums {
  const own = entries.filter((entry) => entry.currency === currency);
  const grants = own.filter(({ grant }) => grant !== null);
  return {
    received: sumOf(own, ...receivedKinds),
    refunded: sumOf(own, "refunded") - sumOf(own, "refund-reversed"),
    // Money without an order that is written off stays with the shop.
    kept: keptOf(own, order === undefined ? ["kept", "written-off"] : ["kept"]),
    waived: Math.max(0, sumOf(own, "waived")),
    granted: sumOf(grants, "waived"),
    writtenOff: Math.max(0, sumOf(own, "written-off")),
  };
}

/** What staff keep of each loan, at most what it brought. */
function keptOf(entries: readonly CountedEntry[], kinds: readonly string[]): number {
  const byLoan = Map.groupBy(entries, ({ loanId }) => loanId);
  const kept = [...byLoan.values()].map((own) =>
    Math.min(sumOf(own, ...kinds), sumOf(own, ...receivedKinds)),
  );
  return kept.reduce((sum, amount) => sum + Math.max(0, amount), 0);
}

export function isAwaiting(status: string): boolean {
  return status === "Pending" || status === "PaymentProcessing";
}

export function isPaid(status: string): boolean {
  return !isAwaiting(status) && status !== "Cancelled";
}

/** The balance of an account with these sums, in one currency. */
export function balanceOf(sums: Sums, order: CountedAccount["order"], currency: string): Balance {
  const { received, refunded } = sums;
  const net = received - refunded;
  const price =
    order !== undefined && currency === shopCurrency.code && isPaid(order.status) ? order.total : 0;
  const required = Math.max(0, price - sums.waived);
  const grantable = Math.min(required, Math.max(0, net));
  const surplus = Math.max(0, net - required);
  const keptSurplus = Math.min(surplus, sums.kept);
  const refundable = surplus - keptSurplus;
  return {
    received,
    refunded,
    kept: grantable + keptSurplus,
    refundable,
    refundDue: order !== undefined && isAwaiting(order.status) ? 0 : refundable,
    missing: Math.max(0, required - net - sums.writtenOff),
    granted: Math.min(price, sums.granted),
    grantable,
  };
}

export function recount(account: CountedAccount, currency: string): Balance {
  return balanceOf(sumsOf(account, currency), account.order, currency);
}

/** The currencies of entries, the shop's own first. */
export function currenciesOf(entries: readonly CountedEntry[]): readonly string[] {
  return [...new Set([shopCurrency.code, ...entries.map(({ currency }) => currency)])];
}
