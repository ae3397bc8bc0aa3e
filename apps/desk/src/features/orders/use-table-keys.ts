import { useEffect } from "react";
import { keyAction, nextPlace } from "./table-keys.ts";

/** Marks the link of each row; its value is the order's id. */
export const rowLinkAttribute = "data-order";
export const searchFieldId = "order-search";

/**
 * The keys of the table. The present row is the one whose link has the focus, so the Enter key
 * opens it.
 *
 * @param toggle selects an order, or takes it out of the selection
 */
export function useTableKeys(toggle: (id: string) => void): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const action = keyAction(event, document.querySelector('[role="dialog"]') !== null);
      if (action === undefined) return;
      event.preventDefault();
      if (action === "search") return document.getElementById(searchFieldId)?.focus();
      const links = [...document.querySelectorAll<HTMLElement>(`[${rowLinkAttribute}]`)];
      const present = links.findIndex((link) => link.matches(":focus"));
      if (action === "select") {
        const id = links[present]?.getAttribute(rowLinkAttribute);
        if (id) toggle(id);
      } else links[nextPlace(present, action, links.length)]?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [toggle]);
}
