import { useEffect } from "react";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { forgetUnpaidOrder } from "../features/checkout/placed-order-store.ts";

/** A basket that is changed after an order was placed is the beginning of another order, unless that one is paid. */
export function useForgetPlacedOrder(): void {
  useEffect(() => onBasketChange(forgetUnpaidOrder), []);
}
