import {
  type Basket,
  type BasketLine,
  type Cents,
  type OrderPrice,
  priceOf,
  priceOfPlaced,
} from "@keepsats/domain";
import type { PlacedOrderState } from "./placed-orders.ts";

/** How far a purchase is: the form is filled in, the placed order is paid, the paid order waits to be completed. */
export type PurchaseStep = "details" | "pay" | "done";

/** What the checkout shows; amounts in cents. */
export interface Purchase {
  readonly step: PurchaseStep;
  readonly lines: readonly BasketLine[];
  readonly price: OrderPrice;
  /** The total that the shopper had seen, where the shop's prices had changed since. */
  readonly totalBefore: Cents | undefined;
  /**
   * The form: `editable` before the order is placed, `fixed` with what was typed for this order, or `stored`: what was
   * typed for this order is not here any more, as after a reload, or what is here was typed for the next one.
   */
  readonly details: "editable" | "fixed" | "stored";
  /** The basket holds something that was added after the order was placed. */
  readonly basketWaits: boolean;
}

/** Decides what the checkout shows. @param placed the order that was placed, if any */
export function purchaseOf(basket: Basket, placed: PlacedOrderState | undefined): Purchase {
  if (placed === undefined) {
    return {
      step: "details",
      lines: basket,
      price: priceOf(basket),
      totalBefore: undefined,
      details: "editable",
      basketWaits: false,
    };
  }
  const { items, total_price } = placed.order;
  return {
    step: placed.contractId === undefined ? "pay" : "done",
    lines: items,
    price: priceOfPlaced(items, total_price),
    totalBefore: placed.totalBefore,
    details: isOfDraft(placed) ? "fixed" : "stored",
    basketWaits: basket.length > 0 && placed.superseded === true,
  };
}

/** What completing a purchase does. */
export interface Completion {
  readonly orderId: string;
  readonly contractId: string;
  readonly key: string | undefined;
  /** What is taken out of the basket. */
  readonly bought: readonly BasketLine[];
  /** The form is emptied, because it was typed for this order. */
  readonly clearsDraft: boolean;
}

/** Decides what completing a purchase does; `undefined` while no loan pays the order. */
export function completionOf(placed: PlacedOrderState | undefined): Completion | undefined {
  if (placed?.contractId === undefined) return undefined;
  const { id: orderId, key, items } = placed.order;
  return {
    orderId,
    contractId: placed.contractId,
    key,
    bought: placed.inBasket === true ? items : [],
    clearsDraft: isOfDraft(placed),
  };
}

/** Why the payment cannot be started, or what to do next, beside its button. @param failing the lender cannot be reached */
export function paymentHint(step: PurchaseStep, failing: boolean): string | undefined {
  switch (step) {
    case "details":
      return "Place your order first; then you can pay for it.";
    case "pay":
      return failing ? "The lender cannot be reached right now. We keep trying." : undefined;
    case "done":
      return "Your loan is under way. Complete the purchase to follow your order.";
  }
}

/** Whether what stands in the form was typed for this order: not after a reload, nor for the next order. */
function isOfDraft(placed: PlacedOrderState): boolean {
  return placed.inBasket === true && placed.superseded !== true;
}
