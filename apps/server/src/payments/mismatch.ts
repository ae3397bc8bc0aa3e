import { currency, formatMoney, type OrderStatus } from "@keepsats/domain";
import type { MismatchKind, resolutions } from "@keepsats/protocol";
import type { Loan, Unfit } from "./loan.ts";

/** Why a loan does not pay an order, with a sentence for the merchant. */
export interface Mismatch {
  readonly kind: MismatchKind;
  readonly detail: string;
  /**
   * The money that came in by it and pays no order, in cents; `undefined` if none came in, or
   * another mismatch has it, or the amount is not known.
   */
  readonly cents?: number | undefined;
  /**
   * Whether the provider tells it again after it told something else: then it is open again,
   * although its detail is the same.
   */
  readonly isNew?: boolean;
}

/**
 * A mismatch and the id of the order that it is recorded for; {@link NO_ORDER} if there is none.
 */
export interface OrderMismatch extends Mismatch {
  readonly orderId: string;
}

/**
 * How a mismatch was resolved. `given_back`: its money was given back. `accepted`: an underpaid
 * loan was taken as the payment. `explained`: nothing is to do, and the shop keeps its money.
 */
export type Resolution = (typeof resolutions)[number];

/** The order id of a mismatch without an order. */
export const NO_ORDER = "";

/**
 * Describes what a loan names as its order, for the merchant. A text that is not an order's id is
 * not repeated: anybody can write it.
 */
export function describeName({
  orderId,
  isMisnamed,
}: Pick<Loan, "orderId" | "isMisnamed">): string {
  if (orderId !== undefined) return `order ${orderId}`;
  return isMisnamed ? "something that is no order id" : "no order";
}

/**
 * Why a loan cannot be bound to the order that it names; `undefined` if it can. `total` in cents.
 */
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
      return {
        kind: "wrong-asset",
        detail: `It lends ${unfit.asset}, which is no ${currency.singular}.`,
      };
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

/** Describes what a loan lends now, if that no longer pays its order. */
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

/**
 * The money that a loan brings if it is paid out, in cents; `undefined` if it is not in the shop's
 * currency.
 */
export function moneyOf({ unfit, cents }: Loan): number | undefined {
  return unfit === undefined ? cents : undefined;
}

/**
 * Adds to a mismatch that the loan was paid out, so that the merchant knows that money has come.
 */
export function paidOut(mismatch: Mismatch, loan: Loan): Mismatch {
  return { ...mismatch, detail: `${mismatch.detail} It was paid out.`, cents: moneyOf(loan) };
}

/**
 * The mismatch of a bound loan that was paid out when its order did not await payment; `undefined`
 * if the order did.
 */
export function lateMoney(status: OrderStatus, loan: Loan): Mismatch | undefined {
  const cents = moneyOf(loan);
  switch (status) {
    case "Pending":
    case "PaymentProcessing":
      return undefined;
    case "Cancelled":
      return {
        kind: "paid-after-cancel",
        detail: "It was paid out after the order was cancelled.",
        cents,
      };
    case "PaymentProcessed":
    case "Shipped":
    case "Delivered":
      return {
        kind: "second",
        detail: "It was paid out, but the order had been paid already.",
        cents,
      };
  }
}

/**
 * The mismatch of a loan that has paid its order with more than the total; `undefined` if it is not
 * more. In cents.
 */
export function overpaid(cents: number | undefined, total: number): Mismatch | undefined {
  if (cents === undefined || cents <= total) return undefined;
  const excess = cents - total;
  const detail = `It lent ${formatMoney(cents)}; the order comes to ${formatMoney(total)}: give back ${formatMoney(excess)}.`;
  return { kind: "overpaid", detail, cents: excess };
}

/** The mismatch of a loan whose standing is unclear. */
export function unclearStanding({ word, isDisputed }: Loan): Mismatch {
  if (!isDisputed)
    return { kind: "unknown-status", detail: `Its status, ${word}, is not known here.` };
  return {
    kind: "dispute",
    detail: `The provider has a dispute about it (${word}), which proves no payment.`,
  };
}

/** The mismatch of a loan whose standing became unclear after it was paid out. */
export function unclearAfterPaid({ word, isDisputed }: Loan): Mismatch {
  const advice = "Its order counts as paid: ask the provider before you ship.";
  if (!isDisputed) {
    return { kind: "unknown-status", detail: `Its status, ${word}, is not known here. ${advice}` };
  }
  return {
    kind: "dispute",
    detail: `The provider has a dispute about it now (${word}). ${advice}`,
  };
}

/**
 * The mismatch of a paid-out loan whose order was cancelled.
 *
 * @param owed what is still owed of its money, in cents
 * @param lent what it lent, in cents; `undefined` if unknown
 */
export function refundOwed(owed: number, lent: number | undefined): Mismatch {
  const loan = lent === undefined ? "this loan" : `this loan of ${formatMoney(lent)}`;
  const what = owed === lent ? "it back" : `back ${formatMoney(owed)}`;
  return {
    kind: "refund-owed",
    detail: `The order was cancelled after ${loan} had been paid out: give ${what}.`,
    cents: owed,
  };
}
