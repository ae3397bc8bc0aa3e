import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { usePageSettings } from "../lib/page-settings.ts";
import { useLocation } from "../lib/router.tsx";

/** Sets the title of the document, such as "Checkout · Keepsats". */
export function usePageTitle(title: string): void {
  const { shopName } = usePageSettings();
  useEffect(() => {
    document.title = `${title} · ${shopName}`;
  }, [title, shopName]);
}

/**
 * Sets the canonical URL of the document, which browsers share, while a screen is shown. The
 * server sets it in the page for search engines; screens without one have none.
 *
 * @param path such as `/?item=moka-pot`
 */
export function useCanonicalUrl(path: string): void {
  const { origin } = usePageSettings();
  useEffect(() => {
    const known = document.head.querySelector<HTMLLinkElement>("link[rel=canonical]");
    const link = known ?? document.createElement("link");
    link.rel = "canonical";
    link.href = origin + path;
    document.head.append(link);
    return () => link.remove();
  }, [origin, path]);
}

/**
 * Moves the focus to the heading and scrolls to the top when the customer navigates from another
 * screen. Back and Forward keep the scroll position. A change of the URL on the same screen, such
 * as an opened dialog, has no effect.
 *
 * @returns the `ref` of the heading, which also needs `tabIndex={-1}`
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const { action } = useLocation();
  const onShown = useEffectEvent(() => {
    if (action === "load") return;
    heading.current?.focus({ preventScroll: true });
    if (action !== "pop") window.scrollTo(0, 0);
  });
  useEffect(() => onShown(), []);
  return heading;
}
