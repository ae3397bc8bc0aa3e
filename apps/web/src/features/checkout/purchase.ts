import {
  type Basket,
  type BasketLine,
  type Cents,
  type OrderPrice,
  priceOf,
  priceOfPlaced,
} from "@keepsats/domain";
import type { ItemQuantity, PlacedOrderState } from "./placed-orders.ts";

/** `details`: the form is filled in. `pay`: the order is placed but not paid. `done`: the widget has reported success. */
export type PurchaseStep = "details" | "pay" | "done";

/** The purchase that the checkout shows; amounts in cents. */
export interface Purchase {
  readonly step: PurchaseStep;
  readonly lines: readonly BasketLine[];
  readonly price: OrderPrice;
  /** The total before a price change; see {@link PlacedOrderState}. */
  readonly totalBefore: Cents | undefined;
  /**
   * The state of the form. `editable`: the order is not placed. `fixed`: it shows the details of the placed order. `stored`:
   * it does not hold these details, because the page was reloaded or the form was filled in for the next order.
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
      totalBefore: undefined,
      details: "editable",
      hasNewItems: false,
    };
  }
  const { items, total_price } = placed.order;
  return {
    step: placed.contractId === undefined ? "pay" : "done",
    lines: items,
    price: priceOfPlaced(items, total_price),
    totalBefore: placed.totalBefore,
    details: isDraftOf(placed) ? "fixed" : "stored",
    hasNewItems: hasMoreThan(placed.ownBasket ?? [], basket),
  };
}

/** What to do to complete a purchase. */
export interface Completion {
  readonly orderId: string;
  readonly contractId: string;
  readonly key: string | undefined;
  /** The lines to subtract from the basket. */
  readonly bought: readonly ItemQuantity[];
  /** The form is cleared, because it was filled in for this order. */
  readonly clearsDraft: boolean;
}

/** Derives what to do to complete a purchase; `undefined` while the order is not paid. */
export function completionOf(placed: PlacedOrderState | undefined): Completion | undefined {
  if (placed?.contractId === undefined) return undefined;
  const { id: orderId, key } = placed.order;
  return {
    orderId,
    contractId: placed.contractId,
    key,
    bought: placed.ownBasket ?? [],
    clearsDraft: isDraftOf(placed),
  };
}

/** The hint below the payment button: why it is disabled, or what to do next. @param failing the lender cannot be reached */
export function paymentHint(step: PurchaseStep, failing: boolean): string | undefined {
  switch (step) {
    case "details":
      return "Place your order first, then you can pay.";
    case "pay":
      return failing ? "The lender cannot be reached right now. We keep trying." : undefined;
    case "done":
      return "The payment window reported success.";
  }
}

/** Whether the form was filled in for this order. False after a reload, and when it is used for the next order. */
function isDraftOf({ ownBasket = [], superseded, formReused }: PlacedOrderState): boolean {
  return ownBasket.length > 0 && superseded !== true && formReused !== true;
}

function hasMoreThan(own: readonly ItemQuantity[], basket: Basket): boolean {
  return basket.some(({ id, quantity }) => quantity > (own.find((line) => line.id === id)?.quantity ?? 0));
}
