/**
 * Recalculates the balances of an account from its journal, in another way than `balancesOf` of
 * `packages/domain`, whose sums the shop shows.
 */
import { awaitsPayment, isPaidStatus, shopCurrency } from "@keepsats/domain";
import type { CommittedEntry } from "../committed-state.ts";

/** The money of an order, or of a loan without an order. */
interface CountedAccount {
  readonly order: { readonly status: string; readonly total: number } | undefined;
  readonly entries: readonly CommittedEntry[];
}

/** Sums over the entries of one currency, in its hundredths. */
interface Sums {
  readonly received: number;
  readonly refunded: number;
  readonly kept: number;
  /** With what was granted. */
  readonly waived: number;
  readonly granted: number;
  readonly writtenOff: number;
}

interface Balance {
  readonly received: number;
  readonly refunded: number;
  readonly kept: number;
  readonly refundable: number;
  readonly refund_due: number;
  readonly missing: number;
  readonly granted: number;
  /** The part of the price that the shop has. */
  readonly grantable: number;
}

/** The kinds of entries that say how much money an account has received. */
export const receivedKinds = ["received", "reversed", "corrected", "extension", "transferred"];

export function sumOf(entries: readonly CommittedEntry[], ...kinds: readonly string[]): number {
  return entries
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { amount }) => sum + amount, 0);
}

function sumsOf({ order, entries }: CountedAccount, currency: string): Sums {
  const own = entries.filter((entry) => entry.currency === currency);
  const grants = own.filter(({ grant_kind }) => grant_kind !== null);
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
function keptOf(entries: readonly CommittedEntry[], kinds: readonly string[]): number {
  const byLoan = Map.groupBy(entries, ({ loan_id }) => loan_id);
  const kept = [...byLoan.values()].map((own) =>
    Math.min(sumOf(own, ...kinds), sumOf(own, ...receivedKinds)),
  );
  return kept.reduce((sum, amount) => sum + Math.max(0, amount), 0);
}

/** The balance of an account in one currency; its fields have the names that the API gives them. */
export function recount({ order, entries }: CountedAccount, currency: string): Balance {
  const sums = sumsOf({ order, entries }, currency);
  const { received, refunded } = sums;
  const net = received - refunded;
  const isPriced = order !== undefined && currency === shopCurrency.code;
  const price = isPriced && isPaidStatus(order.status) ? order.total : 0;
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
    refund_due: order !== undefined && awaitsPayment(order.status) ? 0 : refundable,
    missing: Math.max(0, required - net - sums.writtenOff),
    granted: Math.min(price, sums.granted),
    grantable,
  };
}

/** The currencies of entries, the shop's own first. */
export function currenciesOf(entries: readonly CommittedEntry[]): readonly string[] {
  return [...new Set([shopCurrency.code, ...entries.map(({ currency }) => currency)])];
}
