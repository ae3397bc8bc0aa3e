import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "../../../lib/api.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { useChangeItem } from "../queries.ts";

/** Whether an item is shown in the shop. Shows a change while it is being stored. */
export function ShownInShop({ item }: { item: AdminItem }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const changeItem = useChangeItem();
  const title = itemTitle(item);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (hidden: boolean) => changeItem({ ...item, hidden: !hidden }, { hidden }),
    // Changes are stored one after another, so that the last one wins.
    scope: { id: `visibility of ${item.id}` },
    onSuccess: ({ hidden }) => toasts.success(`${title} ${hidden ? "hidden" : "shown"}`),
    onError: (error, hidden) =>
      toasts.error(`${title} not ${hidden ? "hidden" : "shown"}`, errorText(error)),
    // Also after a failure: the change may be stored although its answer was lost.
    onSettled: () => client.invalidateQueries({ queryKey: itemsQuery.queryKey }),
  });
  return (
    <Checkbox
      label="Shown in shop"
      checked={isPending ? !variables : !item.hidden}
      // A wide window has a column heading.
      className="md:sr-only"
      onChange={(isShown) => mutate(!isShown)}
    />
  );
}
