import { type RefObject, useEffect, useRef } from "react";
import { useNavigationType } from "react-router";
import { usePageConfig } from "./page-config.ts";

let firstPage = true;

/**
 * Names the page in the browser's title, and moves the focus to its heading when the shopper has come from another page.
 *
 * @returns what to put on the heading, with `tabIndex={-1}`
 */
export function usePage(title: string): RefObject<HTMLHeadingElement | null> {
  const { shopName } = usePageConfig();
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useNavigationType();

  useEffect(() => {
    document.title = `${title} · ${shopName}`;
  }, [title, shopName]);

  useEffect(() => {
    if (firstPage) {
      firstPage = false;
      return;
    }
    heading.current?.focus({ preventScroll: true });
    if (navigation !== "POP") window.scrollTo(0, 0);
  }, [navigation]);
  return heading;
}
