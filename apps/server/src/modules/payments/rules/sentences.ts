import { formatMoney, shopCurrency } from "@keepsats/domain";
import type { Loan, Unfit } from "../loans/loan-provider-api.ts";
import type { StoredLoan } from "./types.ts";

// The sentences of payment issues, for the merchant.

/**
 * Describes what a loan names as its order. A text that is not an order's id is not repeated:
 * anyone can write it.
 */
export function nameClause({ orderId, isMisnamed }: Loan): string {
  if (orderId !== undefined) return `order ${orderId}`;
  return isMisnamed ? "something that is not an order id" : "no order";
}

/** Why a loan that was presented for an order does not belong to it. */
export function strayDetail(loan: Loan, belongsTo: string | undefined): string {
  if (belongsTo !== undefined) return `It belongs to another order already, ${belongsTo}.`;
  const name = loan.orderId === undefined ? nameClause(loan) : `another order, ${loan.orderId}`;
  return `It names ${name}.`;
}

export function unfitDetail(unfit: Unfit): string {
  switch (unfit.kind) {
    case "other-asset":
      return `It lends ${unfit.asset}, which is not a ${shopCurrency.singular}.`;
    case "unknown-asset":
      return `It lends ${unfit.asset}, which is not known here, so nothing says that it is a ${shopCurrency.singular}.`;
    case "no-amount":
      return `Its amount, ${unfit.amount}, is not a valid ${shopCurrency.singular} amount.`;
  }
}

export function shortfallDetail(cents: number | undefined, total: number): string {
  return `It lends ${formatMoney(cents ?? 0)}; the order comes to ${formatMoney(total)}.`;
}

export function lentClause({ unfit, cents, amountText }: Loan): string {
  switch (unfit?.kind) {
    case "other-asset":
    case "unknown-asset":
      return `it lends ${amountText} ${unfit.asset}`;
    case "no-amount":
      return `its amount, ${unfit.amount}, is not a valid ${shopCurrency.singular} amount`;
    case undefined:
      return `it lends ${formatMoney(cents ?? 0)}`;
  }
}

export function changedDetail(changes: readonly string[]): string {
  return `It was paid out, and the provider changed it since: ${changes.join("; ")}.`;
}

/** A loan whose state is unknown, before it was paid out. */
export function unknownStateDetail({ providerStatus, isDisputed }: Loan): string {
  return isDisputed
    ? `The provider has a dispute about it (${providerStatus}), which proves no payment.`
    : `Its status, ${providerStatus}, is not known here.`;
}

/** A loan whose state became unknown after it was paid out. */
export function unknownAfterPayoutDetail(
  { providerStatus, isDisputed }: Loan,
  { refusal }: StoredLoan,
): string {
  const detail = isDisputed
    ? `The provider has a dispute about it now (${providerStatus}).`
    : `Its status, ${providerStatus}, is not known here.`;
  if (refusal !== undefined) return detail;
  return `${detail} Its order counts as paid: ask the provider before you ship.`;
}

// Sentences about money that was paid out.

export const duplicateDetail = "It was paid out, but the order had been paid already.";
export const cancelledDetail = "It was paid out, and the order is cancelled.";

export function underpaidDetail(loan: StoredLoan, total: number): string {
  const { cents, amountText = "none" } = loan;
  if (cents === undefined)
    return `Its amount, ${amountText}, is not a valid ${shopCurrency.singular} amount. It was paid out: ask the provider how much it lent.`;
  return `${shortfallDetail(cents, total)}${roundedDetail(loan)} It was paid out.`;
}

/** Says that a fraction of a cent was left out. */
function roundedDetail({ amountText }: StoredLoan): string {
  return amountText === undefined
    ? ""
    : ` The provider writes ${amountText}, of which the fraction of a cent does not count.`;
}

export function otherCurrencyDetail({ currency: asset }: StoredLoan): string {
  return `It lends ${asset}, which does not count as a ${shopCurrency.singular} here. It was paid out.`;
}

/** Money whose order is not certain. */
export function uncertainOrderDetail({ orderId, namedOrderId }: StoredLoan): string {
  if (orderId === undefined) {
    return namedOrderId === undefined
      ? "It was paid out for no order."
      : "It was paid out for an order that this shop does not have.";
  }
  if (namedOrderId === orderId)
    return `It belongs to order ${orderId}, but did not name it when it was paid out.`;
  const other = namedOrderId === undefined ? "no order" : `order ${namedOrderId}`;
  return `It belongs to order ${orderId}, and was paid out for ${other}.`;
}

export function undeliveredGrantDetail(amount: number): string {
  return `A granted refund of ${formatMoney(amount)} did not arrive, and is due again.`;
}

export function overpaidDetail(
  lent: number,
  loan: StoredLoan,
  { total, limit }: { readonly total: number; readonly limit: number },
): string {
  const detail = `It lent ${formatMoney(lent)}; the order comes to ${formatMoney(total)}.${roundedDetail(loan)}`;
  if (lent <= limit) return detail;
  return `${detail} That is far more than it costs: ask the provider whether the amount is right before you refund.`;
}
