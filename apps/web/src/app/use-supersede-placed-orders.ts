import { useEffect } from "react";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { supersedePlacedOrders } from "../features/checkout/placed-order-store.ts";

/** A basket that is changed after an order was placed is the beginning of another order, unless a loan pays the first. */
export function useSupersedePlacedOrders(): void {
  useEffect(() => onBasketChange(supersedePlacedOrders), []);
}
