import { lazy, useEffect } from "react";
import { useLocation } from "react-router";
import { onBasketChange } from "../features/basket/basket-store.ts";

const loadCheckout = () => import("./routes/checkout.tsx");
const loadOrder = () => import("./routes/order.tsx");

export const CheckoutRoute = lazy(loadCheckout);
export const OrderRoute = lazy(loadOrder);

/** Fetches a screen's code when the one before it is used, so that nobody waits before an empty page. */
export function usePreloading(): void {
  const { pathname } = useLocation();
  useEffect(() => onBasketChange(() => void loadCheckout().catch(() => {})), []);
  useEffect(() => {
    if (pathname === "/checkout") loadOrder().catch(() => {});
  }, [pathname]);
}
