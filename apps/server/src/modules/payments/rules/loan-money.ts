import {
  balancesOf,
  type Cents,
  keptIn,
  loanPayoutOf,
  moneyPhaseOf,
  refundedIn,
  shopCurrency,
  sumOf,
  unknownIn,
} from "@keepsats/domain";
import type { AccountEntry, LoanAccount, StoredLoan } from "./types.ts";

/** The money of one loan in an account, in hundredths of its currency. */
export interface LoanMoney {
  readonly loan: StoredLoan;
  readonly currency: string;
  /** The money that it brought; 0 if it is an extension, or its amount is unknown. */
  readonly brought: Cents;
  /** The part that pays the order. */
  readonly share: Cents;
  readonly refunded: Cents;
  /** The part that staff must still decide about. */
  readonly open: Cents;
  /** The amount is unknown, and staff have not decided about it. */
  readonly isUnknown: boolean;
}

/**
 * Divides the money of an account among its loans, by loan id; together, their open parts are the
 * refundable amount of the account.
 *
 * The loans that pay the order by themselves, or were accepted, pay its price first, the earliest
 * first. Refunds and kept money count for the loan that they name; the rest, such as a refund that
 * names no payment issue, counts for the money that pays nothing.
 *
 * Example: of two loans of $45.00 for an order of $45.00, the first pays its price and the second
 * is open.
 */
export function moneyByLoan(account: LoanAccount): ReadonlyMap<string, LoanMoney> {
  const { order, loans, entries } = account;
  const isPaid = order !== undefined && moneyPhaseOf(order.status) === "paid";
  const { waivedOnAcceptance, granted } = balancesOf(account).shop;
  const price = isPaid ? order.total - waivedOnAcceptance - granted : 0;
  const whole = loans.toSorted(payersFirst).flatMap((loan) => wholeMoneyOf(loan, entries) ?? []);
  const divided = [...Map.groupBy(whole, (money) => money.currency)].flatMap(([currency, some]) =>
    divide(
      some,
      entries.filter((entry) => entry.currency === currency),
      { price: currency === shopCurrency.code ? price : 0, hasOrder: order !== undefined },
    ),
  );
  return new Map(divided.map((money) => [money.loan.id, money]));
}

function payersFirst(one: StoredLoan, other: StoredLoan): number {
  return (
    Number(one.refusal !== undefined) - Number(other.refusal !== undefined) ||
    (one.paidOutAt ?? 0) - (other.paidOutAt ?? 0) ||
    (one.id < other.id ? -1 : 1)
  );
}

type WholeMoney = Omit<LoanMoney, "share" | "refunded" | "open">;

function wholeMoneyOf(loan: StoredLoan, entries: readonly AccountEntry[]): WholeMoney | undefined {
  const payout = loanPayoutOf(entries, loan.id);
  if (payout === undefined) return undefined;
  const own = entries.filter(({ loanId }) => loanId === loan.id);
  return {
    loan,
    currency: payout.currency,
    brought: payout.amount + sumOf(own, ["extension"]),
    isUnknown: unknownIn(own) > 0,
  };
}

/** Divides the money of one currency. `whole`: in the order in which it pays the price. */
function divide(
  whole: readonly WholeMoney[],
  entries: readonly AccountEntry[],
  { price, hasOrder }: { readonly price: Cents; readonly hasOrder: boolean },
): LoanMoney[] {
  let unpaid = price;
  const parts = whole.map((money) => {
    const share = Math.max(0, Math.min(unpaid, money.brought));
    unpaid -= share;
    return { ...money, share, refunded: 0, open: money.brought - share };
  });
  let refunded = refundedIn(entries);
  let kept = keptIn(entries, { hasOrder });
  const take = (part: (typeof parts)[number], mostRefunded: Cents, mostKept: Cents) => {
    const back = Math.max(0, Math.min(part.open, mostRefunded, refunded));
    const stays = Math.max(0, Math.min(part.open - back, mostKept, kept));
    part.refunded += back;
    part.open -= back + stays;
    refunded -= back;
    kept -= stays;
  };
  for (const part of parts) {
    const own = entries.filter(({ loanId }) => loanId === part.loan.id);
    take(part, refundedIn(own), keptIn(own, { hasOrder }));
  }
  // Money that pays nothing is refunded before the money of a payer.
  for (const part of parts.toReversed()) take(part, refunded, kept);
  return parts;
}

/** Whether staff must still decide about a part of a loan's money. */
export function hasOpenPart(money: LoanMoney | undefined): money is LoanMoney {
  return money !== undefined && (money.open > 0 || money.isUnknown);
}
