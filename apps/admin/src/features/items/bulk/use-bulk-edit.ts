import { useQueryClient } from "@tanstack/react-query";
import { changeErrorText } from "../../../lib/api.ts";
import { itemChangeKey, itemsQuery } from "../../../lib/items.ts";
import { useBulk } from "../../../lib/use-bulk.ts";
import { changeItem, isItemChanged, refetchItems } from "../queries.ts";
import { type BulkEdit, bulkReport, type Outcome, type PlannedEdit } from "./bulk-edits.ts";

/** Changes several items. */
export function useBulkEdit(edit: BulkEdit, onAllDone: () => void) {
  const client = useQueryClient();
  return useBulk({
    noun: "item",
    change: store,
    report: (outcomes) =>
      bulkReport(edit, outcomes, client.getQueryData(itemsQuery.queryKey) ?? []),
    mutationKey: itemChangeKey,
    refetch: () => refetchItems(client),
    onAllDone,
  });
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
