import { currency as shopCurrency } from "./currency.ts";
import type { Cents } from "./money.ts";
import { awaitsPayment, isOrderStatus } from "./order-status.ts";

/**
 * The kinds of journal entry. Entries are only ever added.
 *
 * - `received`: a loan was paid out.
 * - `reversed`: the provider took a payout back; the amount is negative.
 * - `corrected`: the amount of a payout changed; the amount is the difference.
 * - `extension`: a payout extends an earlier loan and brought no money; the amount is negative, and
 *   positive when that turns out to be wrong.
 * - `transferred`: money moved between two accounts: negative where it leaves, positive where it
 *   arrives.
 * - `refunded`: the shop sent money to the customer.
 * - `refund-reversed`: a refund did not arrive, and the shop has the money again.
 * - `kept`: staff decided that the shop keeps money that pays nothing.
 * - `waived`: staff decided that an order costs less.
 * - `written-off`: staff gave up money that is missing, or money without an order.
 *
 * A negative `kept`, `waived` or `written-off` undoes an earlier decision.
 */
export const journalKinds = [
  "received",
  "reversed",
  "corrected",
  "extension",
  "transferred",
  "refunded",
  "refund-reversed",
  "kept",
  "waived",
  "written-off",
] as const;
export type JournalKind = (typeof journalKinds)[number];

/** An entry of an account, as far as its balances depend on it. */
export interface JournalEntry {
  readonly kind: JournalKind;
  /** In hundredths of `currency`, with the sign that {@link journalKinds} gives. */
  readonly amount: Cents;
  /** How many unknown amounts it adds to the account: −1, 0 or 1. */
  readonly unknown: number;
  /** The code of the shop's currency, or the provider's name of another one, such as `EUR`. */
  readonly currency: string;
  readonly loanId: string | undefined;
}

/** The money of one order, or the money of one loan that has no order. */
export interface Account<Entry extends JournalEntry = JournalEntry> {
  /** `undefined` for money without an order. The status may be of a newer version. */
  readonly order: { readonly status: string; readonly total: Cents } | undefined;
  readonly entries: readonly Entry[];
}

/** The sums of an account in one currency, in its hundredths. */
export interface Balance {
  readonly currency: string;
  /** Payouts, without what was reversed and without extensions. */
  readonly received: Cents;
  readonly refunded: Cents;
  /** What the shop keeps: the price of a paid order, and what staff decided to keep. */
  readonly kept: Cents;
  /** What may be refunded. */
  readonly refundable: Cents;
  /** What must be refunded: `refundable`, unless the order still awaits its payment. */
  readonly refundDue: Cents;
  /** What a paid order has not received, or what a cancelled one has refunded too much. */
  readonly missing: Cents;
  /** What staff took off the price. */
  readonly waived: Cents;
  /** What staff gave up. */
  readonly writtenOff: Cents;
}

export interface Balances {
  /** In the shop's currency. */
  readonly shop: Balance;
  /** In other currencies, in the order of their first entries. */
  readonly others: readonly Balance[];
  /** The number of loans that were paid out with an amount that nobody knows. */
  readonly unknownAmounts: number;
}

/** Where an order is with regard to its money. A status of a newer version counts as paid. */
export type MoneyPhase = "awaiting" | "paid" | "cancelled";

export function moneyPhaseOf(status: string): MoneyPhase {
  if (!isOrderStatus(status)) return "paid";
  if (awaitsPayment(status)) return "awaiting";
  return status === "Cancelled" ? "cancelled" : "paid";
}

/**
 * Sums an account. Every figure about the money of an order comes from here.
 *
 * Example: an order of $45.00 with two payouts of $45.00 has received $90.00, keeps $45.00, and must
 * refund $45.00.
 */
export function balancesOf({ order, entries }: Account): Balances {
  const byCurrency = Map.groupBy(entries, ({ currency }) => currency);
  const others = [...byCurrency].filter(([currency]) => currency !== shopCurrency.code);
  return {
    shop: balanceOf(shopCurrency.code, byCurrency.get(shopCurrency.code) ?? [], order),
    others: others.map(([currency, some]) => balanceOf(currency, some, order)),
    unknownAmounts: unknownAmountsIn(entries),
  };
}

/** The balance in a currency; all sums are 0 if the account has none. */
export function balanceIn({ shop, others }: Balances, currency: string): Balance {
  const all = [shop, ...others];
  return all.find((one) => one.currency === currency) ?? balanceOf(currency, [], undefined);
}

function balanceOf(
  currency: string,
  entries: readonly JournalEntry[],
  order: Account["order"],
): Balance {
  const phase = order === undefined ? undefined : moneyPhaseOf(order.status);
  const received = sumOf(entries, principalKinds) + sumOf(entries, ["extension"]);
  const refunded = sumOf(entries, ["refunded"]) - sumOf(entries, ["refund-reversed"]);
  const net = received - refunded;
  // Only the shop's currency pays a price.
  const price = currency === shopCurrency.code && phase === "paid" ? (order?.total ?? 0) : 0;
  const waived = Math.min(price, atLeastZero(sumOf(entries, ["waived"])));
  const required = price - waived;
  const givenUp = atLeastZero(sumOf(entries, ["written-off"]));
  // Without an order, staff write off money that nobody can return. With one, they write off a loss.
  const decided = sumOf(entries, ["kept"]) + (order === undefined ? givenUp : 0);
  const beyond = atLeastZero(net - required);
  const keptBeyond = Math.min(atLeastZero(decided), beyond);
  const refundable = beyond - keptBeyond;
  const loss = atLeastZero(required - net);
  const writtenOff = Math.min(givenUp, net > required && order === undefined ? keptBeyond : loss);
  return {
    currency,
    received,
    refunded,
    kept: Math.min(atLeastZero(net), required) + keptBeyond,
    refundable,
    refundDue: phase === "awaiting" ? 0 : refundable,
    missing: loss - Math.min(givenUp, loss),
    waived,
    writtenOff,
  };
}

/** Whether an account has money that staff must still decide about. */
export function hasOpenMoney({ shop, others, unknownAmounts }: Balances): boolean {
  return unknownAmounts > 0 || [shop, ...others].some(({ refundable }) => refundable > 0);
}

/** What a loan brought to an account in one currency. */
export interface Principal {
  readonly currency: string;
  readonly amount: Cents;
  /** 1 if it was paid out with an amount that nobody knows. */
  readonly unknown: number;
}

const principalKinds = ["received", "reversed", "corrected", "transferred"] as const;

/**
 * What a loan brought to an account according to the provider, without extensions, refunds and
 * decisions of staff; `undefined` if it brought nothing, or everything was reversed.
 */
export function principalOf(
  entries: readonly JournalEntry[],
  loanId: string,
): Principal | undefined {
  const own = entries.filter(
    (entry) => entry.loanId === loanId && isAmong(principalKinds, entry.kind),
  );
  return [...Map.groupBy(own, ({ currency }) => currency)]
    .map(([currency, some]) => ({
      currency,
      amount: sumOf(some, principalKinds),
      unknown: some.reduce((sum, { unknown }) => sum + unknown, 0),
    }))
    .find(({ amount, unknown }) => amount !== 0 || unknown !== 0);
}

/** Sums the amounts of the entries of these kinds, whatever their currency. */
export function sumOf(entries: readonly JournalEntry[], kinds: readonly JournalKind[]): Cents {
  return entries.reduce((sum, { kind, amount }) => (isAmong(kinds, kind) ? sum + amount : sum), 0);
}

/** The number of loans whose amount is unknown and that nobody has decided about. */
function unknownAmountsIn(entries: readonly JournalEntry[]): number {
  const byLoan = Map.groupBy(entries, ({ loanId }) => loanId);
  return [...byLoan.values()].reduce(
    // A decision about an unknown amount stands when the amount becomes known later.
    (sum, some) => sum + atLeastZero(some.reduce((count, { unknown }) => count + unknown, 0)),
    0,
  );
}

function isAmong(kinds: readonly JournalKind[], kind: JournalKind): boolean {
  return kinds.includes(kind);
}

function atLeastZero(amount: Cents): Cents {
  return Math.max(0, amount);
}
