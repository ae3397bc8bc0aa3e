import { createLazyComponent, retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCart } from "../lib/cart-store.ts";
import { prefetchItems } from "../lib/items.ts";
import { type Location, useLocation } from "../lib/router.tsx";

const screenPaths = ["/", "/checkout", "/order"] as const;
export type ScreenPath = (typeof screenPaths)[number];

/**
 * The screen at a path, regardless of case and trailing slashes.
 *
 * @returns `undefined` for a path without a screen
 * @example screenAt("/Checkout/") // "/checkout"
 */
export function screenAt(pathname: string): ScreenPath | undefined {
  const path = pathname.toLowerCase().replace(/(?<=.)\/+$/, "");
  return screenPaths.find((known) => known === path);
}

/**
 * The URL of a screen as links have it, so that paths can be compared. A URL without a screen
 * becomes `/`.
 *
 * @example canonicalUrl(new URL("https://shop.example/Checkout/?a=1")) // "/checkout?a=1"
 */
export function canonicalUrl(url: Pick<Location, "pathname" | "search" | "hash">): string {
  const screen = screenAt(url.pathname);
  return screen === undefined ? "/" : screen + url.search + url.hash;
}

export const checkoutScreen = createLazyComponent(() => import("./routes/checkout.tsx"));
export const orderScreen = createLazyComponent(() => import("./routes/order.tsx"));
export const toaster = createLazyComponent(() => import("../ui/toaster.tsx"));

/**
 * Loads the items and the code of a screen. It never rejects: the screen reports what is missing.
 */
export async function loadFirstScreen(queries: QueryClient, pathname: string): Promise<void> {
  const screen = screenAt(pathname);
  await Promise.all([
    prefetchItems(queries),
    screen === "/checkout" && checkoutScreen.preload(),
    screen === "/order" && orderScreen.preload(),
  ]);
}

/** Loads the checkout's code when the cart changes, and the order page's code at the checkout. */
export function usePreloadNextScreen(): void {
  const { pathname } = useLocation();
  useEffect(() => useCart.subscribe(() => void checkoutScreen.preload()), []);
  useEffect(() => {
    if (pathname === "/checkout") void orderScreen.preload();
    return retryFailedLoads;
  }, [pathname]);
}
