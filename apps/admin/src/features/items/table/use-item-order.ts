import { arrayMove } from "@dnd-kit/sortable";
import type { AdminItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "../../../lib/api.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { storePositions } from "../queries.ts";

/** The items with the changes of their order that are not stored yet, and a function that adds one. */
export function useItemOrder(items: readonly AdminItem[]) {
  const client = useQueryClient();
  const toasts = useToasts();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (ids: readonly string[]) => storePositions(ids),
    // Changes are stored one after another, so that the last one wins.
    scope: { id: "order of the items" },
    onError: (error) => toasts.error("Order of the items not changed", errorText(error)),
    onSettled: () => client.invalidateQueries({ queryKey: itemsQuery.queryKey }),
  });
  const ordered = isPending ? inOrder(items, variables) : items;
  /** @param to zero-based */
  function move(id: string, to: number): void {
    const ids = ordered.map((item) => item.id);
    mutate(arrayMove(ids, ids.indexOf(id), to));
  }
  return { ordered, move };
}

/** Sorts elements by ids. Elements with other ids stay at the end. */
export function inOrder<Element extends { readonly id: string }>(
  elements: readonly Element[],
  ids: readonly string[],
): readonly Element[] {
  const positions = new Map(ids.map((id, index) => [id, index]));
  const positionOf = ({ id }: Element) => positions.get(id) ?? ids.length;
  return elements.toSorted((a, b) => positionOf(a) - positionOf(b));
}

/** The position after a key press; `undefined` for keys that do not move. */
export function positionAfterKey(key: string, position: number, count: number): number | undefined {
  switch (key) {
    case "ArrowUp":
      return position - 1;
    case "ArrowDown":
      return position + 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
