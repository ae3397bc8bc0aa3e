import { useEffect } from "react";
import { useLocation } from "react-router";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { createPart } from "../ui/part.ts";
import { payment } from "./payment.tsx";

export const checkout = createPart(() => import("./routes/checkout.tsx"));
export const order = createPart(() => import("./routes/order.tsx"));
export const toaster = createPart(() => import("../ui/toaster.tsx"));

/** Has whatever could not be fetched so far fetched anew when it is needed. */
export function retryParts(): void {
  for (const part of [checkout, order, payment, toaster]) part.retry();
}

/** Fetches a screen's code when the one before it is used, so that nobody waits before an empty page. */
export function usePreloading(): void {
  const { pathname } = useLocation();
  useEffect(
    () =>
      onBasketChange(() => {
        checkout.preload();
        payment.preload();
      }),
    [],
  );
  useEffect(() => {
    if (pathname === "/checkout") order.preload();
    return retryParts;
  }, [pathname]);
}
