import { createContext, type RefObject, use, useEffect, useEffectEvent, useRef } from "react";
import { useNavigationType } from "react-router";
import { usePageConfig } from "./page-config.ts";

/** Created once, by the app. */
export interface Visit {
  /** Whether a screen has been shown since the page was loaded. */
  hasShownScreen: boolean;
}

export const VisitContext = createContext<Visit>({ hasShownScreen: true });

/** Sets the browser's title, such as "Checkout · Keepsats". */
export function usePageTitle(title: string): void {
  const { shopName } = usePageConfig();
  useEffect(() => {
    document.title = `${title} · ${shopName}`;
  }, [title, shopName]);
}

/**
 * Moves the focus to the screen's heading and scrolls to the top when the shopper comes from
 * another screen. Back and Forward keep the scroll position. A change of the address on the same
 * screen, such as an opened dialog, moves nothing.
 *
 * @returns the `ref` of the heading, which also needs `tabIndex={-1}`
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const visit = use(VisitContext);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useNavigationType();
  const onShown = useEffectEvent(() => {
    if (!visit.hasShownScreen) {
      visit.hasShownScreen = true;
      return;
    }
    heading.current?.focus({ preventScroll: true });
    if (navigation !== "POP") window.scrollTo(0, 0);
  });
  useEffect(() => onShown(), []);
  return heading;
}
