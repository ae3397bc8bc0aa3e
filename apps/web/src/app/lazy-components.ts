import { useEffect } from "react";
import { useLocation } from "react-router";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { createLazyComponent } from "../ui/lazy-component.ts";
import { financeButton } from "./payment-button.tsx";

export const checkout = createLazyComponent(() => import("./routes/checkout.tsx"));
export const order = createLazyComponent(() => import("./routes/order.tsx"));
export const toaster = createLazyComponent(() => import("../ui/toaster.tsx"));

/** Makes components whose code could not be loaded load it again when they are rendered next. */
export function retryFailedLoads(): void {
  for (const component of [checkout, order, financeButton, toaster]) component.retry();
}

/** Loads the checkout's code when the basket is changed, and the order page's code at the checkout. */
export function usePreloadNextScreen(): void {
  const { pathname } = useLocation();
  useEffect(
    () =>
      onBasketChange(() => {
        checkout.preload();
        financeButton.preload();
      }),
    [],
  );
  useEffect(() => {
    if (pathname === "/checkout") order.preload();
    return retryFailedLoads;
  }, [pathname]);
}
