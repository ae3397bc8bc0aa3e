import { useEffect } from "react";
import { isKeyForPage, type PressedKey } from "../../lib/key-for-page.ts";

/** Marks the link of each row; its value is the order's id. */
export const rowLinkAttribute = "data-order";
export const searchFieldId = "order-search";

export type KeyAction = "down" | "up" | "select" | "search";

const actions: Readonly<Record<string, KeyAction>> = {
  j: "down",
  k: "up",
  x: "select",
  "/": "search",
};

/**
 * What a key does in a table. Nothing while somebody types or a dialog is open, and nothing with a
 * modifier.
 *
 * @param isDialogOpen whether a modal dialog is open
 */
export function keyAction(event: PressedKey, isDialogOpen: boolean): KeyAction | undefined {
  return isKeyForPage(event, isDialogOpen) ? actions[event.key] : undefined;
}

/**
 * The row that is next, from 0.
 *
 * @param present the row that has the focus; -1 for none
 * @param rows how many rows there are
 */
export function nextPlace(present: number, direction: "down" | "up", rows: number): number {
  if (present === -1) return 0;
  const next = direction === "down" ? present + 1 : present - 1;
  return Math.max(0, Math.min(rows - 1, next));
}

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
