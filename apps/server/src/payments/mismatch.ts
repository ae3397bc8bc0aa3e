import { centsCoveredBy, formatMoney, isDispute, loanAsset, type OrderStatus } from "@keepsats/domain";
import { isOrderId, type MismatchKind } from "@keepsats/protocol";
import type { ProviderContract } from "./loan-provider.ts";

/** Why a contract does not pay an order, with a sentence for the merchant. */
export interface Mismatch {
  readonly kind: MismatchKind;
  readonly detail: string;
}

/** The order that a contract names, in lower case as our ids are; `undefined` where it names none. */
export function namedOrder({ client_contract_id: name }: ProviderContract): string | undefined {
  return name?.toLowerCase();
}

/** A name that a contract gives, for the merchant: anybody can write anything there, so only an order's id is shown. */
export function describeName(name: string | undefined): string {
  if (name === undefined) return "no order";
  return isOrderId(name) ? `order ${name}` : "something that is no order id";
}

/** What keeps a contract that names an order from being bound to it; `undefined` when nothing does. `total` in cents. */
export function bindingMismatch(contract: ProviderContract, total: number): Mismatch | undefined {
  switch (loanAsset(contract.loan_asset)) {
    case "other":
      return { kind: "wrong-asset", detail: `It lends ${contract.loan_asset}, which is no dollar.` };
    case "unknown":
      return {
        kind: "wrong-asset",
        detail: `It lends ${contract.loan_asset}, which is not known here, so nothing says that it is a dollar.`,
      };
    case "dollar":
      return amountMismatch(contract, total);
  }
}

function amountMismatch(contract: ProviderContract, total: number): Mismatch | undefined {
  const lent = centsCoveredBy(contract.loan_amount);
  if (lent === undefined) {
    return { kind: "underpaid", detail: `Its amount, ${contract.loan_amount}, is no amount of dollars.` };
  }
  if (lent >= total) return undefined;
  return {
    kind: "underpaid",
    detail: `It lends ${formatMoney(lent)}; the order comes to ${formatMoney(total)}.`,
  };
}

/** What is wrong when a bound contract has been paid out although its order no longer waits for money. */
export function lateMoney(status: OrderStatus): Mismatch | undefined {
  switch (status) {
    case "Pending":
    case "PaymentProcessing":
      return undefined;
    case "Cancelled":
      return { kind: "paid-after-cancel", detail: "It was paid out after the order was cancelled." };
    case "PaymentProcessed":
    case "Shipped":
    case "Delivered":
      return { kind: "second", detail: "It was paid out, but the order had been paid already." };
  }
}

/** What the merchant is told of a status that proves nothing. */
export function unclearStatus(status: string): Mismatch {
  if (!isDispute(status)) {
    return { kind: "unknown-status", detail: `Its status, ${status}, is not known here.` };
  }
  return {
    kind: "dispute",
    detail: `The provider has a dispute about it (${status}), which proves no payment.`,
  };
}

/** What the merchant is told where such a status comes after the loan was paid out. */
export function unclearAfterPaid(status: string): Mismatch {
  const advice = "Its order counts as paid: ask the provider before you ship.";
  if (!isDispute(status)) {
    return { kind: "unknown-status", detail: `Its status, ${status}, is not known here. ${advice}` };
  }
  return { kind: "dispute", detail: `The provider has a dispute about it now (${status}). ${advice}` };
}

/** What is owed to the shopper of an order that was cancelled after this loan had been paid out. `cents` as far as they are known. */
export function refundOwed(cents: number | undefined): Mismatch {
  const what = cents === undefined ? "this loan" : `this loan of ${formatMoney(cents)}`;
  return {
    kind: "refund-owed",
    detail: `The order was cancelled after ${what} had been paid out: give it back.`,
  };
}
