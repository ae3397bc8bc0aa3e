import { createContext, use } from "react";
import { useStore } from "zustand";
import type { Draft } from "./draft.ts";
import type { OrderAttempt } from "./order-attempts.ts";
import { createPlacedOrders, type PlacedOrderState, type PlacedOrders, shownOrder } from "./placed-orders.ts";

/** What the checkout remembers for as long as the page is open, whichever screen is shown. */
export interface CheckoutSession {
  /** What was typed, where anything was, before the shopper went to look at something else. It is kept in memory only. */
  draft: Draft | undefined;
  /** The last try to place an order whose order is not known to be placed. */
  attempt: OrderAttempt | undefined;
  readonly orders: PlacedOrders;
}

/** Made once, by the app. */
export function createCheckoutSession(): CheckoutSession {
  return { draft: undefined, attempt: undefined, orders: createPlacedOrders() };
}

export const CheckoutSessionContext = createContext<CheckoutSession | undefined>(undefined);

export function useCheckoutSession(): CheckoutSession {
  const session = use(CheckoutSessionContext);
  if (session === undefined) throw new Error("there is no checkout session above this component");
  return session;
}

/** The order that the checkout shows, where one is placed and its purchase is not complete. */
export function usePlacedOrder(): PlacedOrderState | undefined {
  return useStore(useCheckoutSession().orders.store, shownOrder);
}
