import { type Cents, formatMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

/** What a shopper is to be given back. Nothing is known here of what has been given back already. */
export interface Owed {
  readonly cents: Cents;
  /** How many loans brought it. */
  readonly loans: number;
  /** `false` where the amount of a loan is not known: the order's total is counted for it, which it covers at least. */
  readonly exact: boolean;
}

/** What would be owed if an order were cancelled, or is owed where it was: all that its loans have paid. */
export function owedWhenCancelled(order: MerchantOrder): Owed {
  return owedFor(order, paidLoans(order));
}

/** What is owed as the order stands: all of it once it is cancelled, and before that what was paid once too often. */
export function owedNow(order: MerchantOrder): Owed {
  if (order.status === "Cancelled") return owedWhenCancelled(order);
  const second = new Set(
    order.mismatches.filter(({ kind }) => kind === "second").map(({ contract_id }) => contract_id),
  );
  return owedFor(
    order,
    paidLoans(order).filter(({ id }) => second.has(id)),
  );
}

/** An amount for a person: `$90.00`, or `at least $90.00`. */
export function formatOwed({ cents, exact }: Owed): string {
  return exact ? formatMoney(cents) : `at least ${formatMoney(cents)}`;
}

type Loan = MerchantOrder["contracts"][number];

/** An extension goes on with another loan and brought no money of its own. */
function paidLoans({ contracts }: MerchantOrder): Loan[] {
  return contracts.filter((loan) => loan.meaning === "paid" && loan.extends === null);
}

function owedFor({ total_price }: MerchantOrder, loans: readonly Loan[]): Owed {
  return {
    cents: loans.reduce((sum, { amount }) => sum + (amount ?? total_price), 0),
    loans: loans.length,
    exact: loans.every(({ amount }) => amount !== null),
  };
}
