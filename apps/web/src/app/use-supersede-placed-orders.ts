import { useEffect } from "react";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";

/**
 * After an order is placed, a basket with other content starts a new purchase: the placed order is
 * superseded.
 */
export function useSupersedePlacedOrders(): void {
  const { orders } = useCheckoutSession();
  useEffect(() => onBasketChange((basket) => orders.compareWith(basket)), [orders]);
}
