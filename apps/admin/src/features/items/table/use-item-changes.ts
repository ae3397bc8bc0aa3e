import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { changeErrorText } from "../../../lib/api.ts";
import { itemChangeKey, itemsQuery } from "../../../lib/items.ts";
import { changeItem, refetchItems, storePositions } from "../queries.ts";
import { createPendingPositions, inOrder } from "./item-positions.ts";

/** Changes are stored one after another, so that the last one wins. */
const scope = { id: "positions and visibility of items" };

/** Optimistic changes, reverted with a notice if they fail. Both functions are stable. */
export function useItemChanges() {
  const client = useQueryClient();
  const toasts = useToasts();
  const [positions] = useState(createPendingPositions);

  /** Shows a change, and cancels fetches that would revert it. */
  const show = useCallback(
    (change: (items: readonly AdminItem[]) => AdminItem[]) => {
      void client.cancelQueries({ queryKey: itemsQuery.queryKey });
      client.setQueryData(itemsQuery.queryKey, (items) =>
        items === undefined ? undefined : change(items),
      );
    },
    [client],
  );
  function reportFailure(title: string, error: unknown): void {
    toasts.show({ kind: "error", title, description: changeErrorText(error) });
  }
  const { mutate: reposition } = useMutation({
    mutationKey: itemChangeKey,
    scope,
    mutationFn: (move: { id: string; to: number }) => storePositions(positions.toStore(move)),
    onSuccess: (_stored, move) => positions.end(move, true),
    onError(error, move) {
      positions.end(move, false);
      show((now) => inOrder(now, positions.shown()));
      reportFailure("The order of the items was not changed.", error);
    },
    onSettled: () => refetchItems(client),
  });
  const { mutate: storeHidden } = useMutation({
    mutationKey: itemChangeKey,
    scope,
    mutationFn: ({ item, hidden }: { item: AdminItem; hidden: boolean }) =>
      changeItem(item, { hidden }),
    onSuccess(_stored, { item, hidden }) {
      const title = `${itemTitle(item)} is ${hidden ? "no longer shown in the shop" : "shown in the shop"}.`;
      toasts.show({ kind: "success", title, description: "" });
    },
    onError(error, { item, hidden }) {
      show((now) => withHidden(now, item.id, !hidden));
      reportFailure(
        `${itemTitle(item)} is still ${hidden ? "shown in the shop" : "not shown in the shop"}.`,
        error,
      );
    },
    onSettled: () => refetchItems(client),
  });

  const move = useCallback(
    (id: string, to: number) => {
      const move = { id, to };
      positions.add(move, client.getQueryData(itemsQuery.queryKey)?.map((item) => item.id) ?? []);
      show((now) => inOrder(now, positions.shown()));
      reposition(move);
    },
    [client, show, reposition, positions],
  );
  const hide = useCallback(
    (item: AdminItem, hidden: boolean) => {
      show((now) => withHidden(now, item.id, hidden));
      storeHidden({ item, hidden });
    },
    [show, storeHidden],
  );
  return { move, hide };
}

function withHidden(items: readonly AdminItem[], id: string, hidden: boolean): AdminItem[] {
  return items.map((item) => (item.id === id ? { ...item, hidden } : item));
}
