import { awaitsPayment, shopCurrency } from "@keepsats/domain";
import type { CommittedEntry, CommittedOrder, State } from "./committed-state.ts";

/** The committed money of an order, or of a loan without an order. */
export interface Account {
  readonly order: CommittedOrder | undefined;
  /** The loan, if there is no order. */
  readonly loanId: string | undefined;
  readonly entries: readonly CommittedEntry[];
}

/** The sums of an account in one currency, in its hundredths. */
export interface Sums {
  readonly received: number;
  readonly refunded: number;
  readonly kept: number;
  readonly refundable: number;
  readonly refundDue: number;
  readonly missing: number;
  /** The part of the price that the shop has. */
  readonly grantable: number;
}

/** All accounts with money, those of orders first. */
export function accountsOf({ orders, entries }: Pick<State, "orders" | "entries">): Account[] {
  const byOrder = Map.groupBy(entries, ({ orderId }) => orderId);
  const withoutOrder = Map.groupBy(byOrder.get(null) ?? [], ({ loanId }) => loanId ?? "");
  return [
    ...[...orders.values()].flatMap((order): Account[] => {
      const own = byOrder.get(order.id);
      return own === undefined ? [] : [{ order, loanId: undefined, entries: own }];
    }),
    ...[...withoutOrder].map(([loanId, own]) => ({ order: undefined, loanId, entries: own })),
  ];
}

/** The account of an order; without entries if it has no money. */
export function accountOf(order: CommittedOrder, { entries }: Pick<State, "entries">): Account {
  const own = entries.filter(({ orderId }) => orderId === order.id);
  return { order, loanId: undefined, entries: own };
}

export const receivedKinds = ["received", "reversed", "corrected", "transferred", "extension"];

export function sumOf(entries: readonly CommittedEntry[], ...kinds: readonly string[]): number {
  return entries
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Calculates the sums in another way than `balancesOf`, whose sums the shop shows. */
export function sumsOf({ order, entries }: Account, currency: string): Sums {
  const own = entries.filter((entry) => entry.currency === currency);
  const received = sumOf(own, ...receivedKinds);
  const refunded = sumOf(own, "refunded") - sumOf(own, "refund-reversed");
  const net = received - refunded;
  const price = currency === shopCurrency.code ? priceOf(order, own) : 0;
  const writtenOff = Math.max(0, sumOf(own, "written-off"));
  const decided = keptOf(own, order === undefined ? ["kept", "written-off"] : ["kept"]);
  const excess = Math.max(0, net - price);
  const keptExcess = Math.min(excess, decided);
  const refundable = excess - keptExcess;
  const grantable = Math.min(price, Math.max(0, net));
  return {
    received,
    refunded,
    kept: grantable + keptExcess,
    refundable,
    refundDue: order !== undefined && awaitsPayment(order.status) ? 0 : refundable,
    missing: Math.max(0, price - net - writtenOff),
    grantable,
  };
}

/** What staff keep of each loan, at most what it brought. */
function keptOf(entries: readonly CommittedEntry[], kinds: readonly string[]): number {
  const byLoan = Map.groupBy(entries, ({ loanId }) => loanId);
  return [...byLoan.values()].reduce((sum, own) => {
    const kept = Math.min(sumOf(own, ...kinds), sumOf(own, ...receivedKinds));
    return sum + Math.max(0, kept);
  }, 0);
}

/** The price that a paid order owes. */
function priceOf(order: CommittedOrder | undefined, entries: readonly CommittedEntry[]): number {
  if (order === undefined || awaitsPayment(order.status) || order.status === "Cancelled") return 0;
  return Math.max(0, order.total - Math.max(0, sumOf(entries, "waived")));
}

/** The currencies of an account, the shop's own first. */
export function currenciesOf({ entries }: Pick<Account, "entries">): readonly string[] {
  return [...new Set([shopCurrency.code, ...entries.map(({ currency }) => currency)])];
}

/** The number of loans with an unknown amount that staff have not decided about. */
export function unknownAmounts({ entries }: Account): number {
  const byLoan = Map.groupBy(entries, ({ loanId }) => loanId);
  return [...byLoan.values()].filter(
    (own) => own.reduce((sum, { unknown }) => sum + unknown, 0) > 0,
  ).length;
}

/** Whether staff must decide about money of an account. */
export function hasOpenMoney(account: Account): boolean {
  return (
    unknownAmounts(account) > 0 ||
    currenciesOf(account).some((currency) => sumsOf(account, currency).refundable > 0)
  );
}
