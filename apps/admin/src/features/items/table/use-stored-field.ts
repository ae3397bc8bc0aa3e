import type { AdminItem, ItemPatch } from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorText, isRefused } from "../../../lib/api.ts";
import { itemChangeKey, itemsQuery } from "../../../lib/items.ts";
import { useLateFailure } from "../../../lib/use-action.ts";
import { changedItem, expectedOf } from "../item-form.ts";
import { changeItem, isItemChanged, refetchItems } from "../queries.ts";

interface FieldChange {
  readonly seen: AdminItem;
  readonly patch: ItemPatch;
}

interface Outcome {
  readonly onStored: () => void;
  /**
   * @param fault the reason; `undefined` if the item has changed, which the refetched items show
   */
  readonly onRefused: (fault: string | undefined) => void;
}

/** Stores a field of the table optimistically. A notice reports a failure if the row is gone. */
export function useStoredField({ onStored, onRefused }: Outcome) {
  const client = useQueryClient();
  const reportLate = useLateFailure();
  function show(id: string, patch: ItemPatch): void {
    client.setQueryData(itemsQuery.queryKey, (items) =>
      items?.map((item) => (item.id === id ? changedItem(item, patch) : item)),
    );
  }
  return useMutation({
    mutationKey: itemChangeKey,
    mutationFn: ({ seen, patch }: FieldChange) => changeItem(seen, patch),
    async onMutate({ seen, patch }) {
      await client.cancelQueries({ queryKey: itemsQuery.queryKey });
      show(seen.id, patch);
    },
    onSuccess: onStored,
    async onError(error, { seen, patch }) {
      show(seen.id, expectedOf(patch, seen));
      reportLate(`${seen.name} was not changed.`, errorText(error));
      if (!isItemChanged(error)) {
        // After a lost answer the change may be stored.
        if (!isRefused(error)) void refetchItems(client);
        return onRefused(errorText(error));
      }
      await refetchItems(client);
      onRefused(undefined);
    },
    // The change may have cancelled a fetch.
    onSettled: (_stored, error) => (error === null ? refetchItems(client) : undefined),
  });
}

/** In milliseconds. */
const SHOWN_FOR = 4_000;

/** Shows for a moment that something was saved. */
export function useSavedSign(): readonly [isShown: boolean, show: () => void] {
  const [count, setCount] = useState(0);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (count === 0) return;
    const timer = setTimeout(() => setIsShown(false), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [count]);

  function show(): void {
    setIsShown(true);
    setCount((now) => now + 1);
  }
  return [isShown, show];
}
