import { useEffect } from "react";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";

/** A basket that is changed after an order was placed is the beginning of another order, unless a loan pays the first. */
export function useSupersedePlacedOrders(): void {
  const { orders } = useCheckoutSession();
  useEffect(() => onBasketChange(() => orders.supersede()), [orders]);
}
