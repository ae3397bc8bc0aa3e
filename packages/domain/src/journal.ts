import { type Cents, shopCurrency } from "./money.ts";
import { moneyPhaseOf } from "./order-status.ts";

/**
 * The kinds of journal entry. Entries are only ever added.
 *
 * - `received`: a loan was paid out.
 * - `reversed`: the provider reversed a payout; the amount is negative.
 * - `corrected`: the amount of a payout changed; the amount is the difference.
 * - `extension`: a payout extends an earlier loan and brought no money; the amount is negative, and
 *   positive to undo it.
 * - `transferred`: money moved between two accounts: negative where it leaves, positive where it
 *   arrives.
 * - `refunded`: the shop sent money to the customer.
 * - `refund-reversed`: a refund did not arrive, and the shop has the money again.
 * - `kept`: staff decided that the shop keeps money that pays for nothing.
 * - `waived`: staff reduced the price of an order.
 * - `written-off`: staff wrote off missing money, or money without an order.
 *
 * A negative `kept`, `waived` or `written-off` undoes an earlier decision. A granted refund is two
 * entries: `waived` reduces the price, and `refunded` sends that part of it to the customer.
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

/**
 * Whether an entry adds its amount to the money that the shop holds, or subtracts it; 0 for
 * decisions.
 */
const heldSigns: Readonly<Record<JournalKind, 1 | -1 | 0>> = {
  received: 1,
  reversed: 1,
  corrected: 1,
  extension: 1,
  transferred: 1,
  refunded: -1,
  "refund-reversed": 1,
  kept: 0,
  waived: 0,
  "written-off": 0,
};

/**
 * The change of the money that the shop holds, which is the received less the refunded money.
 * Decisions of staff change nothing.
 */
export function heldChangeOf({ kind, amount }: Pick<JournalEntry, "kind" | "amount">): Cents {
  // Added to 0, so that 0 does not become −0.
  return 0 + heldSigns[kind] * amount;
}

/** Whether an entry is a decision of staff, which moves no money. */
export function isDecision(kind: JournalKind): boolean {
  return heldSigns[kind] === 0;
}

/** Why staff grant a refund that is not due: items came back, or the customer keeps them. */
export const grantKinds = ["return", "goodwill"] as const;
export type GrantKind = (typeof grantKinds)[number];

/** The part of an entry on which balances depend. */
export interface JournalEntry {
  readonly kind: JournalKind;
  /** In hundredths of `currency`, with the sign that {@link journalKinds} gives. */
  readonly amount: Cents;
  /** The unknown amounts that it adds to the account: −1, 0 or 1. */
  readonly unknown: number;
  /** The code of the shop's currency, or the provider's name of another one. */
  readonly currency: string;
  readonly loanId: string | undefined;
  /** A {@link GrantKind}, or one of a newer version. Only the entries of a granted refund have it. */
  readonly grant?: string | undefined;
}

/** The money of an order, or of a loan without an order. */
export interface Account<Entry extends JournalEntry = JournalEntry> {
  /** `undefined` for a loan without an order. The status may be of a newer version. */
  readonly order: { readonly status: string; readonly total: Cents } | undefined;
  readonly entries: readonly Entry[];
}

/** The sums of an account in one currency, in its hundredths. */
export interface Balance {
  readonly currency: string;
  /** Payouts, net of reversals and extensions. */
  readonly received: Cents;
  readonly refunded: Cents;
  /** The price of a paid order, and the money that staff decided to keep. */
  readonly kept: Cents;
  /** The amount that may be refunded. */
  readonly refundable: Cents;
  /** The amount that must be refunded: `refundable`, or 0 while the order awaits payment. */
  readonly refundDue: Cents;
  /**
   * The amount that a paid order has not received, or that a cancelled one has refunded too much.
   */
  readonly missing: Cents;
  /** The reduction of the price by accepting a loan that lends less. */
  readonly waivedOnAcceptance: Cents;
  /** The reduction of the price by granted refunds, including those that did not arrive. */
  readonly granted: Cents;
  /** The part of the price that the shop has: refunds of this amount may still be granted. */
  readonly grantable: Cents;
  readonly writtenOff: Cents;
}

export interface Balances {
  /** In the shop's currency. */
  readonly shop: Balance;
  /** In other currencies, in the order of their first entries. */
  readonly others: readonly Balance[];
  /** The number of loans of unknown amount that staff have not decided about. */
  readonly unknownAmounts: number;
}

/**
 * Sums an account. Every figure about the money of an order comes from this function.
 *
 * Example: an order of $45.00 with two payouts of $45.00 has received $90.00, keeps $45.00, and
 * must refund $45.00.
 */
export function balancesOf({ order, entries }: Account): Balances {
  const byCurrency = Map.groupBy(entries, ({ currency }) => currency);
  const others = [...byCurrency].filter(([currency]) => currency !== shopCurrency.code);
  return {
    shop: balanceOf(shopCurrency.code, byCurrency.get(shopCurrency.code) ?? [], order),
    others: others.map(([currency, inCurrency]) => balanceOf(currency, inCurrency, order)),
    unknownAmounts: unknownAmountsIn(entries),
  };
}

export function balancesByCurrency({ shop, others }: Balances): readonly Balance[] {
  return [shop, ...others];
}

/** The balance in a currency; all sums are 0 if the account has none. */
export function balanceIn(balances: Balances, currency: string): Balance {
  const found = balancesByCurrency(balances).find((balance) => balance.currency === currency);
  return found ?? balanceOf(currency, [], undefined);
}

/**
 * Example: a paid order of $45.00, of which staff waived $5.00, requires $40.00. If it received
 * $60.00 and $5.00 of that were refunded, its surplus is $15.00. If staff decided to keep $3.00 of
 * that, $12.00 are refundable.
 */
function balanceOf(
  currency: string,
  entries: readonly JournalEntry[],
  order: Account["order"],
): Balance {
  const phase = order === undefined ? undefined : moneyPhaseOf(order.status);
  const received = sumOf(entries, receivedKinds);
  const refunded = refundedIn(entries);
  const net = received - refunded;
  // Only the shop's currency pays a price.
  const price = currency === shopCurrency.code && phase === "paid" ? (order?.total ?? 0) : 0;
  const reduction = Math.min(price, atLeastZero(sumOf(entries, ["waived"])));
  const granted = Math.min(reduction, sumOf(grantsIn(entries), ["waived"]));
  const required = price - reduction;
  const grantable = Math.min(atLeastZero(net), required);
  const surplus = atLeastZero(net - required);
  const keptSurplus = Math.min(surplus, keptIn(entries, { hasOrder: order !== undefined }));
  const refundable = surplus - keptSurplus;
  const shortfall = atLeastZero(required - net);
  const writeOffs = atLeastZero(sumOf(entries, ["written-off"]));
  // Without an order, staff also write off money that cannot be returned.
  const mayBeWrittenOff = order === undefined && net > 0 ? keptSurplus : shortfall;
  return {
    currency,
    received,
    refunded,
    kept: grantable + keptSurplus,
    refundable,
    refundDue: phase === "awaiting" ? 0 : refundable,
    missing: atLeastZero(shortfall - writeOffs),
    waivedOnAcceptance: reduction - granted,
    granted,
    grantable,
    writtenOff: Math.min(writeOffs, mayBeWrittenOff),
  };
}

/** Whether an account has money that staff must still decide about. */
export function hasOpenMoney(balances: Balances): boolean {
  return (
    balances.unknownAmounts > 0 ||
    balancesByCurrency(balances).some(({ refundable }) => refundable > 0)
  );
}

/** The money of a loan in an account, in one currency. */
export interface LoanPayout {
  readonly currency: string;
  readonly amount: Cents;
  /** 1 if it was paid out with an unknown amount. */
  readonly unknown: number;
}

const payoutKinds = ["received", "reversed", "corrected", "transferred"] as const;
const receivedKinds = [...payoutKinds, "extension"] as const;

/**
 * The money of a loan in an account according to the provider, without extensions, refunds and
 * decisions of staff; `undefined` if it was not paid out, or everything was reversed.
 */
export function loanPayoutOf(
  entries: readonly JournalEntry[],
  loanId: string,
): LoanPayout | undefined {
  const own = entries.filter(
    (entry) => entry.loanId === loanId && isAmong(payoutKinds, entry.kind),
  );
  return [...Map.groupBy(own, ({ currency }) => currency)]
    .map(([currency, inCurrency]) => ({
      currency,
      amount: sumOf(inCurrency, payoutKinds),
      unknown: unknownIn(inCurrency),
    }))
    .find(({ amount, unknown }) => amount !== 0 || unknown !== 0);
}

/** An entry whose kind a newer version may have stored. */
type SummedEntry = Pick<JournalEntry, "amount" | "loanId"> & { readonly kind: string };

/** Sums the amounts of the entries of these kinds, whatever their currency. */
export function sumOf(entries: readonly SummedEntry[], kinds: readonly JournalKind[]): Cents {
  return entries.reduce((sum, { kind, amount }) => (isAmong(kinds, kind) ? sum + amount : sum), 0);
}

/**
 * The money in one currency that staff decided to keep: for each loan, at most the money that it
 * brought. Otherwise a decision about a reversed payout would keep money of another loan.
 */
export function keptIn(
  entries: readonly SummedEntry[],
  { hasOrder }: { readonly hasOrder: boolean },
): Cents {
  // Without an order, staff write off money that cannot be returned. With one, they write off a
  // loss.
  const decisions: readonly JournalKind[] = hasOrder ? ["kept"] : ["kept", "written-off"];
  const byLoan = Map.groupBy(entries, ({ loanId }) => loanId);
  return [...byLoan.values()].reduce((sum, ofLoan) => {
    const kept = Math.min(sumOf(ofLoan, decisions), sumOf(ofLoan, receivedKinds));
    return sum + atLeastZero(kept);
  }, 0);
}

/** Refunds, without those that did not arrive. */
export function refundedIn(entries: readonly JournalEntry[]): Cents {
  return sumOf(entries, ["refunded"]) - sumOf(entries, ["refund-reversed"]);
}

/** The entries of granted refunds. */
export function grantsIn<Entry extends Pick<JournalEntry, "grant">>(
  entries: readonly Entry[],
): readonly Entry[] {
  return entries.filter(({ grant }) => grant !== undefined);
}

/** The unknown amounts in entries of one loan; above 0 until staff decide about it. */
export function unknownIn(entries: readonly JournalEntry[]): number {
  return entries.reduce((count, { unknown }) => count + unknown, 0);
}

function unknownAmountsIn(entries: readonly JournalEntry[]): number {
  const byLoan = Map.groupBy(entries, ({ loanId }) => loanId);
  return [...byLoan.values()].reduce(
    // A decision about an unknown amount stands when the amount becomes known later.
    (sum, ofLoan) => sum + atLeastZero(unknownIn(ofLoan)),
    0,
  );
}

function isAmong(kinds: readonly string[], kind: string): boolean {
  return kinds.includes(kind);
}

function atLeastZero(amount: Cents): Cents {
  return Math.max(0, amount);
}
