import { useEffect } from "react";
import { isShortcut, type PressedKey } from "../../lib/shortcut-key.ts";

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

/** The action of a key in the table; see {@link isShortcut}. */
export function keyAction(event: PressedKey, isDialogOpen: boolean): KeyAction | undefined {
  return isShortcut(event, isDialogOpen) ? actions[event.key] : undefined;
}

/** The index of the next row. @param focused the index of the focused row; -1 for none */
export function nextRow(focused: number, direction: "down" | "up", rows: number): number {
  if (focused === -1) return 0;
  const next = direction === "down" ? focused + 1 : focused - 1;
  return Math.max(0, Math.min(rows - 1, next));
}

/**
 * The keys of the table. The current row is the one whose link has the focus, so Enter opens it.
 *
 * @param toggle selects or deselects an order
 */
export function useTableKeys(toggle: (id: string) => void): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const action = keyAction(event, document.querySelector('[role="dialog"]') !== null);
      if (action === undefined) return;
      event.preventDefault();
      if (action === "search") return document.getElementById(searchFieldId)?.focus();
      const links = [...document.querySelectorAll<HTMLElement>(`[${rowLinkAttribute}]`)];
      const focused = links.findIndex((link) => link.matches(":focus"));
      if (action === "select") {
        const id = links[focused]?.getAttribute(rowLinkAttribute);
        if (id) toggle(id);
      } else links[nextRow(focused, action, links.length)]?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [toggle]);
}
