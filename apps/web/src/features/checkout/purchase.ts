import {
  type Basket,
  type BasketLine,
  type OrderPrice,
  type OrderStatus,
  priceOf,
  priceOfPlaced,
} from "@keepsats/domain";
import type { FollowState } from "../../lib/use-order-stream.ts";
import { type ItemQuantity, isDraftOf, type PlacedOrderState } from "./placed-orders.ts";

/**
 * `details`: the form is filled in. `pay`: the order is placed but not paid. `done`: the widget has
 * reported success.
 */
export type PurchaseStep = "details" | "pay" | "done";

/** The purchase that the checkout shows. */
export interface Purchase {
  readonly step: PurchaseStep;
  readonly lines: readonly BasketLine[];
  readonly price: OrderPrice;
  /**
   * The state of the form. `editable`: the order is not placed. `fixed`: it shows the details of
   * the placed order. `stored`: it does not hold these details, because the page was reloaded or
   * the form was filled in for the next order.
   */
  readonly details: "editable" | "fixed" | "stored";
  /** The basket holds items that are not in the order. */
  readonly hasNewItems: boolean;
}

/** Derives what the checkout shows. @param placed the placed order, if there is one */
export function purchaseOf(basket: Basket, placed: PlacedOrderState | undefined): Purchase {
  if (placed === undefined) {
    return {
      step: "details",
      lines: basket,
      price: priceOf(basket),
      details: "editable",
      hasNewItems: false,
    };
  }
  const { items, order } = placed;
  return {
    step: order.contractId === undefined ? "pay" : "done",
    lines: items,
    price: priceOfPlaced(items, order.total_price),
    details: isDraftOf(placed) ? "fixed" : "stored",
    hasNewItems: hasMoreThan(placed.ownBasket ?? [], basket),
  };
}

/**
 * What happened last to the payment of a placed order. `placed`: nothing yet. `reported`: the
 * widget has reported success. The others come from the order stream. `under-way`: a loan is being
 * paid out. `over`: the last loan has ended unpaid. `not-found`: no loan pays for the order in
 * full. `paid`: the order is paid.
 */
export type PaymentNews = "placed" | "reported" | "under-way" | "over" | "not-found" | "paid";

const newsOf: Readonly<Record<OrderStatus, PaymentNews | undefined>> = {
  Pending: undefined,
  PaymentProcessing: "under-way",
  PaymentProcessed: "paid",
  Shipped: "paid",
  Delivered: "paid",
  Cancelled: undefined,
};
const newsByStatus = new Map<string, PaymentNews | undefined>(Object.entries(newsOf));

/** Derives what happened last to the payment, from what the order stream says. */
export function paymentNews(step: PurchaseStep, { order, error }: FollowState): PaymentNews {
  const news = newsByStatus.get(order?.status ?? "");
  if (news !== undefined) return news;
  if (error === "ContractNotFound") return "not-found";
  if (order?.payment_attempt_over === true) return "over";
  return step === "done" ? "reported" : "placed";
}

/** Whether the last payment attempt has failed, so that the order waits for another one. */
export function hasFailed(news: PaymentNews): boolean {
  return news === "over" || news === "not-found";
}

/** The step that is shown as the current one: paying lasts until the order is paid. */
export function currentStepOf(step: PurchaseStep, news: PaymentNews): PurchaseStep {
  return step === "done" && news !== "paid" ? "pay" : step;
}

/** How the payment button stands. */
export interface PaymentButtonState {
  /** The order is paid, or the widget has reported success: the button is disabled. */
  readonly paid: boolean;
  readonly label: "Finance with Bitcoin" | "Try payment again";
  /** Why the button is disabled; `undefined` where it is not. */
  readonly hint: string | undefined;
}

/**
 * Derives the state of the payment button. After a reported success that pays nothing, the order
 * can be paid again.
 */
export function paymentButtonOf(step: PurchaseStep, news: PaymentNews): PaymentButtonState {
  if (step === "details")
    return {
      paid: false,
      label: "Finance with Bitcoin",
      hint: "Place your order first, then you can pay.",
    };
  if (news === "paid")
    return { paid: true, label: "Finance with Bitcoin", hint: "This order is paid." };
  if (step === "pay") return { paid: false, label: "Finance with Bitcoin", hint: undefined };
  if (hasFailed(news)) return { paid: false, label: "Try payment again", hint: undefined };
  return {
    paid: true,
    label: "Finance with Bitcoin",
    hint: "The payment window reported success.",
  };
}

/** The hint below a payment button that is enabled as soon as the lender can be reached. */
export const unreachableHint = "The lender cannot be reached right now. We keep trying.";

function hasMoreThan(own: readonly ItemQuantity[], basket: Basket): boolean {
  return basket.some(
    ({ id, quantity }) => quantity > (own.find((line) => line.id === id)?.quantity ?? 0),
  );
}
