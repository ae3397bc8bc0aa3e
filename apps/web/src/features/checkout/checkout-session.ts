import { createContext, use } from "react";
import { useStore } from "zustand";
import type { Draft } from "./draft.ts";
import type { OrderRequest } from "./order-request.ts";
import { createPlacedOrders, type PlacedOrderState, type PlacedOrders, shownOrder } from "./placed-orders.ts";

/** The checkout's state that is kept across screens while the page is open. */
export interface CheckoutSession {
  /** The content of the form; `undefined` before the first input. It is kept in memory only. */
  draft: Draft | undefined;
  /** The last request to place an order, until an order is placed. A retry with the same body uses its idempotency key. */
  lastRequest: OrderRequest | undefined;
  readonly orders: PlacedOrders;
}

/** Created once, by the app. */
export function createCheckoutSession(): CheckoutSession {
  return { draft: undefined, lastRequest: undefined, orders: createPlacedOrders() };
}

export const CheckoutSessionContext = createContext<CheckoutSession | undefined>(undefined);

export function useCheckoutSession(): CheckoutSession {
  const session = use(CheckoutSessionContext);
  if (session === undefined) throw new Error("there is no checkout session above this component");
  return session;
}

/** The placed order that the checkout shows; `undefined` when there is none. See {@link shownOrder}. */
export function usePlacedOrder(): PlacedOrderState | undefined {
  return useStore(useCheckoutSession().orders.store, shownOrder);
}
