import {
  type Balances,
  type Cents,
  currency,
  moneyPhaseOf,
  principalOf,
  sumOf,
} from "@keepsats/domain";
import type { AccountEntry, LoanAccount, StoredLoan } from "./rules-facts.ts";

/** The money of one loan in an account, in hundredths of its currency. */
export interface LoanMoney {
  readonly loan: StoredLoan;
  readonly currency: string;
  /** What it brought; 0 if it is an extension, or its amount is unknown. */
  readonly brought: Cents;
  /** The part that pays the price of the order. */
  readonly share: Cents;
  /** The part that was refunded. */
  readonly refunded: Cents;
  /** The part that staff must still decide about. */
  readonly open: Cents;
  /** Whether nobody knows how much it brought, and nobody has decided about it. */
  readonly isUnknown: boolean;
}

/**
 * Divides the money of an account among its loans; together, their open parts are what the account
 * can refund.
 *
 * The loans that pay the order by themselves, or were accepted, are its price first, the earliest
 * first. Refunds and kept money count for the loan that they name; the rest, such as a refund that
 * names no payment issue, for the money that pays nothing.
 *
 * Example: of two loans of $45.00 for an order of $45.00, the first is its price and the second is
 * open.
 */
export function moneyByLoan(
  { order, loans, entries }: LoanAccount,
  { shop }: Balances,
): ReadonlyMap<string, LoanMoney> {
  const price =
    order !== undefined && moneyPhaseOf(order.status) === "paid" ? order.total - shop.waived : 0;
  const lines = [...loans].sort(payersFirst).flatMap((loan) => lineOf(loan, entries) ?? []);
  const byCurrency = Map.groupBy(lines, (line) => line.currency);
  const divided = [...byCurrency].flatMap(([code, some]) =>
    divide(
      some,
      entries.filter((entry) => entry.currency === code),
      { price: code === currency.code ? price : 0, hasOrder: order !== undefined },
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

type Line = Omit<LoanMoney, "share" | "refunded" | "open">;

function lineOf(loan: StoredLoan, entries: readonly AccountEntry[]): Line | undefined {
  const principal = principalOf(entries, loan.id);
  if (principal === undefined) return undefined;
  const own = entries.filter(({ loanId }) => loanId === loan.id);
  const unknown = own.reduce((count, one) => count + one.unknown, 0);
  return {
    loan,
    currency: principal.currency,
    brought: principal.amount + sumOf(own, ["extension"]),
    isUnknown: unknown > 0,
  };
}

/** Divides the money of one currency. @param lines in the order in which they pay the price */
function divide(
  lines: readonly Line[],
  entries: readonly AccountEntry[],
  { price, hasOrder }: { readonly price: Cents; readonly hasOrder: boolean },
): LoanMoney[] {
  let unpaid = price;
  const parts = lines.map((line) => {
    const share = Math.max(0, Math.min(unpaid, line.brought));
    unpaid -= share;
    return { ...line, share, refunded: 0, open: line.brought - share };
  });
  let refunded = sumOf(entries, ["refunded"]) - sumOf(entries, ["refund-reversed"]);
  let kept = sumOf(entries, hasOrder ? ["kept"] : ["kept", "written-off"]);
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
    take(
      part,
      sumOf(own, ["refunded"]) - sumOf(own, ["refund-reversed"]),
      sumOf(own, hasOrder ? ["kept"] : ["kept", "written-off"]),
    );
  }
  // Money that pays nothing is refunded before the money of a payer.
  for (const part of parts.toReversed()) take(part, refunded, kept);
  return parts;
}
