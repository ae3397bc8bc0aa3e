import type { ItemPatch, MerchantItem } from "@keepsats/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { failureText, isRefused } from "../../lib/api.ts";
import { useLateFailure } from "../../lib/use-late-failure.ts";
import { changedItem, expectedOf } from "./item-form.ts";
import {
  changeItem,
  isChangedMeanwhile,
  itemChangeKey,
  itemsQuery,
  refetchItems,
} from "./items-queries.ts";

interface FieldChange {
  /** The item as it was shown. */
  readonly seen: MerchantItem;
  readonly patch: ItemPatch;
}

interface Outcome {
  readonly onStored: () => void;
  /**
   * @param fault why it was refused; `undefined` if the item was changed meanwhile, which the items
   *   then show
   */
  readonly onRefused: (fault: string | undefined) => void;
}

/**
 * Stores a field of the table: it shows at once, and goes back when it is refused. A toast tells if
 * its row is gone by then.
 */
export function useStoredField({ onStored, onRefused }: Outcome) {
  const client = useQueryClient();
  const reportLate = useLateFailure();
  function show(id: string, patch: ItemPatch): void {
    client.setQueryData(itemsQuery.queryKey, (items) =>
      items?.map((one) => (one.id === id ? changedItem(one, patch) : one)),
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
      reportLate(`${seen.name} was not changed.`, failureText(error));
      if (!isChangedMeanwhile(error)) {
        // It may be stored although the answer was lost, and the items may have been read since.
        if (!isRefused(error)) void refetchItems(client);
        return onRefused(failureText(error));
      }
      await refetchItems(client);
      onRefused(undefined);
    },
    // What was read before the change may have been cancelled.
    onSettled: (_stored, error) => (error === null ? refetchItems(client) : undefined),
  });
}

/** How long a sign stays, in milliseconds. */
const SHOWN_FOR = 4_000;

/** Whether something was just saved, and a function that says so. */
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
