import { useCallback } from "react";
import { type OrdersAction, ordersKeys } from "../../lib/screen-keys.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";

/** Marks the link of each row; its value is the order's id. */
export const rowLinkAttribute = "data-order";

/** The index of the next row. `focused`: the index of the focused row; -1 for none. */
export function nextRow(focused: number, direction: "down" | "up", rows: number): number {
  if (focused === -1) return 0;
  const next = direction === "down" ? focused + 1 : focused - 1;
  return Math.max(0, Math.min(rows - 1, next));
}

/**
 * The keys of the table. The current row is the one with the focus; Enter opens the order of a
 * focused link.
 *
 * @param toggle selects or deselects an order
 */
export function useTableKeys(toggle: (id: string) => void): void {
  const act = useCallback(
    (action: OrdersAction, event: KeyboardEvent): void => {
      event.preventDefault();
      if (action === "search")
        return document.querySelector<HTMLElement>("input[type=search]")?.focus();
      const links = [...document.querySelectorAll<HTMLElement>(`[${rowLinkAttribute}]`)];
      const focused = links.findIndex((link) => link.closest("tr")?.matches(":focus-within"));
      if (action !== "select") return links[nextRow(focused, action, links.length)]?.focus();
      const id = links[focused]?.getAttribute(rowLinkAttribute);
      if (id) toggle(id);
    },
    [toggle],
  );
  useShortcuts(ordersKeys, act);
}
