import { useEffect } from "react";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { useCheckoutSession } from "../features/checkout/checkout-session.ts";

/** After an order is placed, a change of the basket starts a new purchase: the placed order is marked as superseded. */
export function useSupersedePlacedOrders(): void {
  const { orders } = useCheckoutSession();
  useEffect(() => onBasketChange(() => orders.supersede()), [orders]);
}
