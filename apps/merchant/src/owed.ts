import { type Cents, formatMoney } from "@keepsats/domain";
import type { MerchantOrder } from "@keepsats/protocol";

/** The amount to refund to a shopper. Refunds that were already made are not known here. */
export interface Owed {
  readonly cents: Cents;
  /** The number of loans that were paid out. */
  readonly loans: number;
  /** `false` if the amount of a loan is unknown; then the order's total is counted, which is the least that it lent. */
  readonly exact: boolean;
}

/** The amount owed if an order is cancelled: everything that its loans have paid. */
export function owedWhenCancelled(order: MerchantOrder): Owed {
  return owedFor(order, paidLoans(order));
}

/** The amount owed now: everything if the order is cancelled, otherwise the payments beyond the first. */
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

/** Formats an amount: `$90.00`, or `at least $90.00`. */
export function formatOwed({ cents, exact }: Owed): string {
  return exact ? formatMoney(cents) : `at least ${formatMoney(cents)}`;
}

type Loan = MerchantOrder["contracts"][number];

/** Whether a loan brought money. An extension did not. */
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
