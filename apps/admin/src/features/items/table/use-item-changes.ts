import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "../../../lib/api.ts";
import { itemChangeKey, itemsQuery } from "../../../lib/items.ts";
import { changeItem, refetchItems, storePositions } from "../queries.ts";
import { createPendingPositions, inOrder, type PositionChange } from "./item-positions.ts";

export interface VisibilityChange {
  readonly item: AdminItem;
  readonly hidden: boolean;
}

/** Optimistic changes, reverted with a notice if they fail. Both functions are stable. */
export function useItemChanges() {
  const client = useQueryClient();
  const toasts = useToasts();
  const [positions] = useState(createPendingPositions);

  /** Shows a change, and cancels fetches that would revert it. */
  function show(change: (items: readonly AdminItem[]) => AdminItem[]): void {
    void client.cancelQueries({ queryKey: itemsQuery.queryKey });
    client.setQueryData(itemsQuery.queryKey, (items) => items && change(items));
  }
  const showPositions = () => show((items) => inOrder(items, positions.shown()));
  const showHidden = ({ item: { id }, hidden }: VisibilityChange) =>
    show((items) => items.map((item) => (item.id === id ? { ...item, hidden } : item)));
  function reportFailure(title: string, error: unknown): void {
    toasts.error(title, errorText(error));
  }
  const shared = {
    mutationKey: itemChangeKey,
    // Changes are stored one after another, so that the last one wins.
    scope: { id: "positions and visibility of items" },
    onSettled: () => refetchItems(client),
  };
  const { mutate: move } = useMutation({
    ...shared,
    onMutate(change) {
      const items = client.getQueryData(itemsQuery.queryKey) ?? [];
      positions.add(
        change,
        items.map(({ id }) => id),
      );
      showPositions();
    },
    mutationFn: (change: PositionChange) => storePositions(positions.toStore(change)),
    onSuccess: (_stored, change) => positions.end(change, true),
    onError(error, change) {
      positions.end(change, false);
      showPositions();
      reportFailure("The order of the items was not changed.", error);
    },
  });
  const { mutate: hide } = useMutation({
    ...shared,
    onMutate: showHidden,
    mutationFn: ({ item, hidden }: VisibilityChange) => changeItem(item, { hidden }),
    onSuccess(_stored, { item, hidden }) {
      const now = hidden ? "no longer shown" : "shown";
      toasts.success(`${itemTitle(item)} is ${now} in the shop.`);
    },
    onError(error, { item, hidden }) {
      showHidden({ item, hidden: !hidden });
      const now = hidden ? "shown" : "not shown";
      reportFailure(`${itemTitle(item)} is still ${now} in the shop.`, error);
    },
  });
  return { move, hide };
}
