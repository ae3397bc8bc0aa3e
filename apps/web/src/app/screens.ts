import {
  createLazyComponent,
  createLazyExport,
  retryFailedLoads,
} from "@keepsats/ui/lazy-component.ts";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onBasketChange } from "../features/basket/basket-store.ts";
import { prefetchItems } from "../features/catalogue/items-query.ts";
import { type Location, useLocation } from "../lib/router.tsx";

/** The paths of the screens. */
const screenPaths = ["/", "/checkout", "/order"] as const;
export type ScreenPath = (typeof screenPaths)[number];

/**
 * The screen at a path: letter case and slashes at its end do not matter.
 *
 * @returns `undefined` for a path without a screen
 * @example screenAt("/Checkout/") // "/checkout"
 */
export function screenAt(pathname: string): ScreenPath | undefined {
  const path = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
  return screenPaths.find((known) => known === path);
}

/**
 * The address of a screen as links have it, so that other code can compare paths. An address
 * without a screen becomes that of the shop.
 *
 * @example usualAddress(new URL("https://shop.example/Checkout/?a=1")) // "/checkout?a=1"
 */
export function usualAddress({
  pathname,
  search,
  hash,
}: Pick<Location, "pathname" | "search" | "hash">): string {
  const screen = screenAt(pathname);
  return screen === undefined ? "/" : screen + search + hash;
}

export const checkout = createLazyComponent(() => import("./routes/checkout.tsx"));
export const order = createLazyComponent(() => import("./routes/order.tsx"));
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
 * Loads what the screen at a path shows first: the items and its code. It never fails: the screen
 * says what is missing.
 */
export async function loadFirstScreen(queries: QueryClient, pathname: string): Promise<void> {
  const screen = screenAt(pathname);
  await Promise.all([
    prefetchItems(queries),
    screen === "/checkout" && checkout.preload(),
    screen === "/order" && order.preload(),
  ]);
}

/**
 * Loads the checkout's code when the basket is changed, and the order page's code at the checkout.
 */
export function usePreloadNextScreen(): void {
  const { pathname } = useLocation();
  useEffect(() => onBasketChange(() => void checkout.preload()), []);
  useEffect(() => {
    if (pathname === "/checkout") void order.preload();
    return retryFailedLoads;
  }, [pathname]);
}
