import { createContext, use } from "react";
import { useStore } from "zustand";
import { blankDraft, type Draft } from "./draft.ts";
import { createOrderAttempts, type OrderAttempts } from "./order-attempts.ts";
import { createPlacedOrders, type PlacedOrderState, type PlacedOrders, shownOrder } from "./placed-orders.ts";

/** What the checkout remembers for as long as the page is open, whichever screen is shown. */
export interface CheckoutSession {
  /** What was typed before the shopper went to look at something else. It is kept in memory only. */
  readonly draft: { current: Draft };
  readonly attempts: OrderAttempts;
  readonly orders: PlacedOrders;
}

/** Made once, by the app. */
export function createCheckoutSession(): CheckoutSession {
  return {
    draft: { current: blankDraft() },
    attempts: createOrderAttempts(() => crypto.randomUUID()),
    orders: createPlacedOrders(),
  };
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
