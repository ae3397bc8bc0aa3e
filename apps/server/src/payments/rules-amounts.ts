import { type Cents, currency } from "@keepsats/domain";
import type { Loan } from "./loan.ts";
import type { StoredLoan } from "./rules-facts.ts";

/** What a loan lends, as the journal has it. */
export interface Lent {
  /** In hundredths of `currency`; `undefined` if nobody knows. */
  readonly cents: Cents | undefined;
  readonly currency: string;
  /** The amount as the provider writes it, if `cents` says less than that. */
  readonly amountText: string | undefined;
}

/** A difference that comes from the arithmetic of decimals, in cents. */
const INEXACT = 0.000_001;

/**
 * What a loan lends. An amount within half a cent of the order's total counts as the total, such as
 * 11.999999999999998 for $12.00; any other fraction of a cent is rounded down.
 */
export function lentBy(loan: Loan, total?: Cents): Lent {
  const { unfit, cents, exactCents } = loan;
  const isWhole =
    cents !== undefined && exactCents !== undefined && Math.abs(exactCents - cents) < INEXACT;
  const amountText = isWhole ? undefined : loan.amountText;
  switch (unfit?.kind) {
    case "other-asset":
    case "unknown-asset":
      return { cents, currency: codeOf(unfit.asset), amountText };
    case "no-amount":
      return { cents: undefined, currency: currency.code, amountText };
    case undefined:
      break;
  }
  const isTotal =
    total !== undefined && exactCents !== undefined && Math.abs(exactCents - total) < 0.5;
  return { cents: isTotal ? total : cents, currency: currency.code, amountText };
}

/** An asset that is called like the shop's currency, but is not known to be it, is another one. */
function codeOf(asset: string): string {
  return asset === currency.code ? `another ${asset}` : asset;
}

/**
 * The amount that a loan must lend to pay its order, in cents: the total, or the amount of an
 * accepted loan that it may extend.
 */
function leastToPay(lent: Lent, total: Cents, others: readonly StoredLoan[]): Cents {
  const mayExtend = others.some(
    ({ state, refusal, cents, currency: code }) =>
      state === "paid-out" &&
      refusal === undefined &&
      cents === lent.cents &&
      code === lent.currency,
  );
  return mayExtend ? Math.min(total, lent.cents ?? total) : total;
}

/** Whether an amount in the shop's currency is known and pays an order. */
export function isEnough(lent: Lent, total: Cents, others: readonly StoredLoan[]): boolean {
  return (
    lent.currency === currency.code &&
    lent.cents !== undefined &&
    lent.cents >= leastToPay(lent, total, others)
  );
}
