import { currency, formatMoney, type OrderStatus } from "@keepsats/domain";
import type { MismatchKind } from "@keepsats/protocol";
import type { Loan, Unfit } from "./loan.ts";

/** Why a loan does not pay an order, with a sentence for the merchant. */
export interface Mismatch {
  readonly kind: MismatchKind;
  readonly detail: string;
}

/** A mismatch, and the order that it is recorded for (`NO_ORDER` where there is none). */
export interface OrderMismatch extends Mismatch {
  readonly orderId: string;
}

/** Stands for the order of a loan that names none of ours. */
export const NO_ORDER = "";

/** What a loan names, for the merchant: a stranger's own words are not repeated. */
export function describeName({ orderId, isMisnamed }: Pick<Loan, "orderId" | "isMisnamed">): string {
  if (orderId !== undefined) return `order ${orderId}`;
  return isMisnamed ? "something that is no order id" : "no order";
}

/** What keeps a loan that names an order from being bound to it; `undefined` when nothing does. `total` in cents. */
export function bindingMismatch({ unfit, cents }: Loan, total: number): Mismatch | undefined {
  if (unfit !== undefined) return unfitMismatch(unfit);
  if ((cents ?? 0) >= total) return undefined;
  return {
    kind: "underpaid",
    detail: `It lends ${formatMoney(cents ?? 0)}; the order comes to ${formatMoney(total)}.`,
  };
}

function unfitMismatch(unfit: Unfit): Mismatch {
  switch (unfit.kind) {
    case "other-asset":
      return { kind: "wrong-asset", detail: `It lends ${unfit.asset}, which is no ${currency.singular}.` };
    case "unknown-asset":
      return {
        kind: "wrong-asset",
        detail: `It lends ${unfit.asset}, which is not known here, so nothing says that it is a ${currency.singular}.`,
      };
    case "no-amount":
      return {
        kind: "underpaid",
        detail: `Its amount, ${unfit.amount}, is no amount of ${currency.plural}.`,
      };
  }
}

/** What a loan lends by now, in the merchant's words, where that no longer pays its order. */
export function describeLent({ unfit, cents }: Loan): string {
  switch (unfit?.kind) {
    case "other-asset":
    case "unknown-asset":
      return `it lends ${unfit.asset}`;
    case "no-amount":
      return `its amount is no amount of ${currency.plural}`;
    case undefined:
      return `it lends ${formatMoney(cents ?? 0)}`;
  }
}

/** Adds that the loan was paid out: whether money has come is the first thing that the merchant has to know. */
export function paidOut(mismatch: Mismatch): Mismatch {
  return { ...mismatch, detail: `${mismatch.detail} It was paid out.` };
}

/** What is wrong when a bound loan has been paid out although its order no longer waits for money. */
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

/** What the merchant is told of an unclear standing, which proves nothing. */
export function unclearStanding({ word, isDisputed }: Loan): Mismatch {
  if (!isDisputed) return { kind: "unknown-status", detail: `Its status, ${word}, is not known here.` };
  return {
    kind: "dispute",
    detail: `The provider has a dispute about it (${word}), which proves no payment.`,
  };
}

/** What the merchant is told where the standing becomes unclear after the loan was paid out. */
export function unclearAfterPaid({ word, isDisputed }: Loan): Mismatch {
  const advice = "Its order counts as paid: ask the provider before you ship.";
  if (!isDisputed) {
    return { kind: "unknown-status", detail: `Its status, ${word}, is not known here. ${advice}` };
  }
  return { kind: "dispute", detail: `The provider has a dispute about it now (${word}). ${advice}` };
}

/** What is owed to the shopper of an order that was cancelled after this loan had been paid out. `cents` as far as they are known. */
export function refundOwed(cents: number | undefined): Mismatch {
  const what = cents === undefined ? "this loan" : `this loan of ${formatMoney(cents)}`;
  return {
    kind: "refund-owed",
    detail: `The order was cancelled after ${what} had been paid out: give it back.`,
  };
}
