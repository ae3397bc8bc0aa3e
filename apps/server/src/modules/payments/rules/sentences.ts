import { formatMoney, shopCurrency } from "@keepsats/domain";
import type { Loan, StoredLoan } from "./types.ts";

// The sentences of payment issues, for the merchant.

export function nameClause(orderId: string | undefined): string {
  return orderId === undefined ? "no order" : `order ${orderId}`;
}

/** Why a loan that was presented for an order does not belong to it. */
export function strayDetail(loan: Loan, belongsTo: string | undefined): string {
  if (belongsTo !== undefined) return `It belongs to another order already, ${belongsTo}.`;
  return loan.orderId === undefined
    ? "It names no order."
    : `It names another order, ${loan.orderId}.`;
}

/** Why a loan cannot pay an order, whatever it costs. */
export function unfitDetail({ otherAsset, cents, amountText }: Loan): string | undefined {
  if (otherAsset !== undefined)
    return `It lends ${otherAsset}, which does not count as a ${shopCurrency.singular} here.`;
  if (cents !== undefined) return undefined;
  return `Its amount, ${amountText}, is not a valid ${shopCurrency.singular} amount.`;
}

export function shortfallDetail(cents: number | undefined, total: number): string {
  return `It lends ${formatMoney(cents ?? 0)}; the order comes to ${formatMoney(total)}.`;
}

export function lentClause({ otherAsset, cents, amountText }: Loan): string {
  if (otherAsset !== undefined) return `it lends ${amountText} ${otherAsset}`;
  if (cents !== undefined) return `it lends ${formatMoney(cents)}`;
  return `its amount, ${amountText}, is not a valid ${shopCurrency.singular} amount`;
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
  return `It belongs to order ${orderId}, and was paid out for ${nameClause(namedOrderId)}.`;
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
