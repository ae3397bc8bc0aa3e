import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeErrorText } from "../../lib/api.ts";
import { itemsQuery } from "../../lib/items.ts";
import { useLateFailure } from "../../lib/use-action.ts";
import { deleteItem } from "./queries.ts";

interface DeleteItemProps {
  readonly item: AdminItem;
  readonly onDeleted: () => void;
}

/** Deletes an item after a confirmation. */
export function DeleteItem({ item, onDeleted }: DeleteItemProps) {
  const title = itemTitle(item);
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteItem(item.id),
    async onSuccess() {
      toasts.show({ kind: "success", title: `${title} was deleted.`, description: "" });
      onDeleted();
      await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
    },
    onError: (failure) => reportLate(`${title} was not deleted.`, changeErrorText(failure)),
  });
  if (!isAsking)
    return (
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        Delete…
      </Button>
    );
  return (
    <fieldset className="w-full border-t border-line pt-4">
      <legend className="sr-only">Delete {title}?</legend>
      <p className="mb-3">
        Delete {title}? Existing orders keep it. To hide it for a while, switch off “Shown in shop”
        instead.
      </p>
      {error !== null && (
        <p role="alert" className="mb-3 text-danger">
          {changeErrorText(error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" disabled={isPending} onClick={() => mutate()}>
          {isPending ? "Deleting…" : "Delete"}
        </Button>
        <Button onClick={() => setIsAsking(false)}>Cancel</Button>
      </div>
    </fieldset>
  );
}
