import { createContext, use } from "react";
import { useStore } from "zustand";
import type { OwnOrders } from "../../lib/own-orders.ts";
import type { Draft, OrderRequest } from "./order-request.ts";
import {
  createPlacedOrders,
  type ItemQuantity,
  isDraftOf,
  type PlacedOrderState,
  type PlacedOrders,
  shownOrder,
} from "./placed-orders.ts";

/** The checkout's state that is kept across screens while the page is open. */
export interface CheckoutSession {
  /** The content of the form; `undefined` before the first input. It is kept in memory only. */
  draft: Draft | undefined;
  /**
   * The last request to place an order, until an order is placed. A retry with the same body uses
   * its idempotency key.
   */
  lastRequest: OrderRequest | undefined;
  readonly orders: PlacedOrders;
}

/** Created once, by the app. */
export function createCheckoutSession(ownOrders: OwnOrders): CheckoutSession {
  return { draft: undefined, lastRequest: undefined, orders: createPlacedOrders(ownOrders) };
}

/**
 * Completes the purchase of an order. The form is cleared if it was filled in for this order.
 *
 * @returns the lines to subtract from the basket; `undefined` for an order whose purchase is
 *   complete, or of another tab
 */
export function completePurchase(
  session: CheckoutSession,
  orderId: string,
): readonly ItemQuantity[] | undefined {
  const placed = session.orders.store.getState().find(({ order }) => order.id === orderId);
  if (placed === undefined) return undefined;
  if (isDraftOf(placed)) session.draft = undefined;
  session.orders.complete(orderId);
  return placed.ownBasket ?? [];
}

export const CheckoutSessionContext = createContext<CheckoutSession | undefined>(undefined);

export function useCheckoutSession(): CheckoutSession {
  const session = use(CheckoutSessionContext);
  if (session === undefined) throw new Error("there is no checkout session above this component");
  return session;
}

/**
 * The placed order that the checkout shows; `undefined` when there is none. See {@link shownOrder}.
 */
export function usePlacedOrder(): PlacedOrderState | undefined {
  return useStore(useCheckoutSession().orders.store, shownOrder);
}
