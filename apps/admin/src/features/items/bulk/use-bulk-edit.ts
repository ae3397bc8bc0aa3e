import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeErrorText } from "../../../lib/api.ts";
import { changeEach } from "../../../lib/change-each.ts";
import { itemChangeKey, itemsQuery } from "../../../lib/items.ts";
import { changeItem, isItemChanged, refetchItems } from "../queries.ts";
import {
  type BulkEdit,
  bulkReport,
  type Outcome,
  type Outcomes,
  type PlannedEdit,
} from "./bulk-edits.ts";

/** Changes several items. `outcomes` has the outcome of each item so far. */
export function useBulkEdit(edit: BulkEdit, onAllChanged: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const { mutateAsync } = useMutation({
    mutationKey: itemChangeKey,
    mutationFn: (changes: readonly PlannedEdit[]) =>
      changeEach(changes, store, (made) => setOutcomes((now) => new Map([...now, ...made]))),
    onSettled: () => refetchItems(client),
  });

  /** @throws an error with the number of items that have not changed */
  async function change(changes: readonly PlannedEdit[]): Promise<void> {
    const made = await mutateAsync(changes);
    const items = client.getQueryData(itemsQuery.queryKey) ?? [];
    toasts.show(bulkReport(edit, made, items));
    const { kind, title } = bulkReport(edit, new Map([...outcomes, ...made]), items);
    if (kind === "error") throw new Error(`${title}. Each item shows its reason.`);
    onAllChanged();
  }
  return { outcomes, change };
}

/** After a lost response the change may be stored. Trying again then succeeds. */
async function store({ seen, patch }: PlannedEdit): Promise<Outcome> {
  try {
    return { kind: "changed", item: await changeItem(seen, patch) };
  } catch (error) {
    if (isItemChanged(error)) return { kind: "conflict" };
    return { kind: "failed", text: changeErrorText(error) };
  }
}
