import { useCallback } from "react";
import { type OrdersAction, ordersKeys } from "../../lib/screen-keys.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";

/** Marks the link of each row; its value is the order's id. */
export const rowLinkAttribute = "data-order";
export const searchFieldId = "order-search";

/** The index of the next row. @param focused the index of the focused row; -1 for none */
export function nextRow(focused: number, direction: "down" | "up", rows: number): number {
  if (focused === -1) return 0;
  const next = direction === "down" ? focused + 1 : focused - 1;
  return Math.max(0, Math.min(rows - 1, next));
}

function isSelection(action: OrdersAction): boolean {
  return action === "select-down" || action === "select-up";
}

interface TableActions {
  /** Selects or deselects an order. */
  readonly toggle: (id: string) => void;
  /** Selects the orders between two, with both. */
  readonly selectRange: (from: string, to: string) => void;
}

/**
 * The keys of the table. The current row is the one with the focus; Enter opens the order of a
 * focused link.
 */
export function useTableKeys({ toggle, selectRange }: TableActions): void {
  const act = useCallback(
    (action: OrdersAction, event: KeyboardEvent): void => {
      const links = [...document.querySelectorAll<HTMLElement>(`[${rowLinkAttribute}]`)];
      const focused = links.findIndex((link) => link.closest("tr")?.matches(":focus-within"));
      const from = links[focused]?.getAttribute(rowLinkAttribute);
      // Shift with an arrow selects text elsewhere.
      if (isSelection(action) && !from) return;
      event.preventDefault();
      switch (action) {
        case "search":
          return document.getElementById(searchFieldId)?.focus();
        case "select":
          return from ? toggle(from) : undefined;
        case "down":
        case "up":
          return links[nextRow(focused, action, links.length)]?.focus();
        case "select-down":
        case "select-up": {
          const direction = action === "select-down" ? "down" : "up";
          const next = links[nextRow(focused, direction, links.length)];
          const to = next?.getAttribute(rowLinkAttribute);
          if (from && to) selectRange(from, to);
          return next?.focus();
        }
      }
    },
    [toggle, selectRange],
  );
  useShortcuts(ordersKeys, act);
}
