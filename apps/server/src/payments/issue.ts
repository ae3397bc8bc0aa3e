import { currency, formatMoney, type OrderStatus } from "@keepsats/domain";
import type { IssueKind, resolutions } from "@keepsats/protocol";
import type { Loan, Unfit } from "./loan.ts";

/** Why a loan does not pay an order, with a sentence for the merchant. */
export interface Issue {
  readonly kind: IssueKind;
  readonly detail: string;
  /**
   * The received money that pays no order, in cents; `undefined` if none was received, another
   * payment issue has it, or the amount is not known.
   */
  readonly cents?: number | undefined;
  /**
   * Whether the provider reports it again after another report: then it is open again, although
   * its detail is the same.
   */
  readonly isNew?: boolean;
}

/**
 * A payment issue and the id of the order that it is recorded for; {@link NO_ORDER} if there is
 * none.
 */
export interface OrderIssue extends Issue {
  readonly orderId: string;
}

/**
 * How a payment issue was resolved. `refunded`: its money was refunded. `accepted`: an underpaid
 * loan counts as the payment. `dismissed`: nothing is to do, and the shop keeps its money.
 */
export type Resolution = (typeof resolutions)[number];

/** The order id of a payment issue without an order. */
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
export function bindingIssue({ unfit, cents }: Loan, total: number): Issue | undefined {
  if (unfit !== undefined) return unfitIssue(unfit);
  if ((cents ?? 0) >= total) return undefined;
  return {
    kind: "underpaid",
    detail: `It lends ${formatMoney(cents ?? 0)}; the order comes to ${formatMoney(total)}.`,
  };
}

function unfitIssue(unfit: Unfit): Issue {
  switch (unfit.kind) {
    case "other-asset":
      return {
        kind: "wrong-currency",
        detail: `It lends ${unfit.asset}, which is no ${currency.singular}.`,
      };
    case "unknown-asset":
      return {
        kind: "wrong-currency",
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

/** Adds to a payment issue that the loan was paid out, with the money that was received. */
export function paidOut(issue: Issue, loan: Loan): Issue {
  return { ...issue, detail: `${issue.detail} It was paid out.`, cents: moneyOf(loan) };
}

/**
 * The payment issue of a bound loan that was paid out when its order did not await payment;
 * `undefined` if the order did.
 */
export function lateMoney(status: OrderStatus, loan: Loan): Issue | undefined {
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
        kind: "duplicate",
        detail: "It was paid out, but the order had been paid already.",
        cents,
      };
  }
}

/**
 * The payment issue of a loan that has paid its order with more than the total; `undefined` if it
 * is not more. In cents.
 */
export function overpaid(cents: number | undefined, total: number): Issue | undefined {
  if (cents === undefined || cents <= total) return undefined;
  const excess = cents - total;
  const detail = `It lent ${formatMoney(cents)}; the order comes to ${formatMoney(total)}: refund ${formatMoney(excess)}.`;
  return { kind: "overpaid", detail, cents: excess };
}

/** The payment issue of a loan whose state is unknown. */
export function unknownState({ providerStatus, isDisputed }: Loan): Issue {
  if (!isDisputed)
    return { kind: "unrecognized", detail: `Its status, ${providerStatus}, is not known here.` };
  return {
    kind: "disputed",
    detail: `The provider has a dispute about it (${providerStatus}), which proves no payment.`,
  };
}

/** The payment issue of a loan whose state became unknown after it was paid out. */
export function unknownAfterPayout({ providerStatus, isDisputed }: Loan): Issue {
  const advice = "Its order counts as paid: ask the provider before you ship.";
  if (!isDisputed) {
    return {
      kind: "unrecognized",
      detail: `Its status, ${providerStatus}, is not known here. ${advice}`,
    };
  }
  return {
    kind: "disputed",
    detail: `The provider has a dispute about it now (${providerStatus}). ${advice}`,
  };
}

/**
 * The payment issue of a paid-out loan whose order was cancelled.
 *
 * @param due the part of its money that must be refunded, in cents
 * @param lent what it lent, in cents; `undefined` if unknown
 */
export function cancelledAfterPayout(due: number, lent: number | undefined): Issue {
  const loan = lent === undefined ? "this loan" : `this loan of ${formatMoney(lent)}`;
  const sum = due === lent ? "it" : formatMoney(due);
  return {
    kind: "paid-after-cancel",
    detail: `The order was cancelled after ${loan} had been paid out: refund ${sum}.`,
    cents: due,
  };
}
