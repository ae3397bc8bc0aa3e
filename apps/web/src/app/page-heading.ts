import { createContext, type RefObject, use, useEffect, useRef } from "react";
import { useNavigationType } from "react-router";
import { usePageConfig } from "./page-config.ts";

/** Whether a screen has been shown since the page was loaded. Made once, by the app. */
export interface Visit {
  hasShownScreen: boolean;
}

export const VisitContext = createContext<Visit>({ hasShownScreen: true });

/** Names the screen in the browser's title. */
export function usePageTitle(title: string): void {
  const { shopName } = usePageConfig();
  useEffect(() => {
    document.title = `${title} · ${shopName}`;
  }, [title, shopName]);
}

/**
 * Moves the focus to a screen's heading, and scrolls to the top, when the shopper has come from another screen.
 *
 * @returns what to put on the heading, with `tabIndex={-1}`
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const visit = use(VisitContext);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useNavigationType();
  useEffect(() => {
    if (!visit.hasShownScreen) {
      visit.hasShownScreen = true;
      return;
    }
    heading.current?.focus({ preventScroll: true });
    if (navigation !== "POP") window.scrollTo(0, 0);
  }, [navigation, visit]);
  return heading;
}
