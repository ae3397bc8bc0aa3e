import {
  createLazyComponent,
  createLazyExport,
  retryFailedLoads,
} from "@keepsats/ui/lazy-component.ts";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { financeButton } from "./payment-button.tsx";
import type { ScreenPath } from "./screen-path.ts";

export const checkout = createLazyComponent(() => import("./routes/checkout.tsx"));
export const order = createLazyComponent(() => import("./routes/order.tsx"));
/**
 * Follows the order at the checkout. It is in the order page's code, which is loaded there anyway.
 */
export const orderFollower = createLazyExport(
  () => import("./routes/order.tsx"),
  (module) => module.OrderFollower,
);
/**
 * Corrects an address on the order page. It is in the checkout's code, because it has the same
 * fields.
 */
export const correctAddress = createLazyExport(
  () => import("./routes/checkout.tsx"),
  (module) => module.CorrectAddress,
);
export const toaster = createLazyComponent(() => import("../ui/toaster.tsx"));

/**
 * Loads the code of a screen. @returns a promise that is fulfilled when it has loaded or failed to
 * load
 */
export async function loadScreen(screen: ScreenPath | undefined): Promise<void> {
  if (screen === "/checkout") await checkout.preload();
  if (screen === "/order") await order.preload();
}

/**
 * Loads the checkout's code when the basket is changed, and the order page's code at the checkout.
 */
export function usePreloadNextScreen(): void {
  const { pathname } = useLocation();
  useEffect(
    () =>
      onBasketChange(() => {
        void checkout.preload();
        void financeButton.preload();
      }),
    [],
  );
  useEffect(() => {
    if (pathname === "/checkout") void order.preload();
    return retryFailedLoads;
  }, [pathname]);
}
