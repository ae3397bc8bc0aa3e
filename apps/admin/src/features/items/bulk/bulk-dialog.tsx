import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { counted } from "../../../lib/format.ts";
import { useNewForm } from "../../../lib/forms/form.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { isOpen, type Outcome, useBulk } from "../../../lib/use-bulk.ts";
import { ChangeForm } from "../../../ui/forms/change-form.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { FormModal } from "../../../ui/forms/form-modal.tsx";
import { CategorySelect } from "../category-select.tsx";
import { changeItem, isItemChanged } from "../queries.ts";
import {
  type BulkEdit,
  bulkEdits,
  type PlannedEdit,
  type Preview,
  plannedEdits,
  previewOf,
} from "./bulk-edits.ts";

interface BulkDialogProps {
  readonly edit: BulkEdit;
  readonly items: readonly AdminItem[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Changes several items after showing the old and the new value of each. */
export function BulkDialog({ edit, items, onClose, onChanged }: BulkDialogProps) {
  const client = useQueryClient();
  const { title, action, done, label = "", hint, schema } = bulkEdits[edit];
  const { outcomes, run } = useBulk({
    noun: "item",
    done,
    nameOf: (id) => items.find((item) => item.id === id)?.name ?? id,
    change: (planned: PlannedEdit) => store(client, edit, planned),
    onAllDone: onChanged,
  });
  const open = items.filter(({ id }) => isOpen(outcomes.get(id)));
  const form = useNewForm({
    schema: z.object({ value: schema }),
    labels: { value: label },
    values: { value: "" },
    async save({ value: patchOf }) {
      const changes = plannedEdits(edit, patchOf, open);
      if (changes.length === 0) throw new Error("No item changes.");
      await run(changes);
    },
  });
  const { isSaving, typed } = form;
  const { data: patchOf } = schema.safeParse(typed.value);
  const hasRun = outcomes.size > 0;
  const isDone = hasRun && plannedEdits(edit, patchOf, open).length === 0;

  return (
    <FormModal title={title(counted(items.length, "item"))} onClose={onClose}>
      <ChangeForm
        form={form}
        submit={isDone && !isSaving ? undefined : hasRun ? "Try again" : action}
        waiting={isSaving ? `Saving… ${outcomes.size} of ${items.length}` : undefined}
        actions={hasRun && !isSaving && <Button onClick={onClose}>Done</Button>}
      >
        {edit === "category" && (
          <CategorySelect label={label} {...form.register("value")} value={typed.value} />
        )}
        {hint !== undefined && (
          <TextField form={form} name="value" hint={hint} autoComplete="off" />
        )}
        <ul aria-label="Items" className="divide-y divide-line">
          {items.map((item) => {
            const outcome = outcomes.get(item.id);
            return (
              <li key={item.id} className="py-2 wrap-anywhere">
                <span className="font-medium">{itemTitle(item)}</span>{" "}
                {outcome === undefined && patchOf !== undefined && (
                  <PreviewText preview={previewOf(edit, item, patchOf)} />
                )}
                <p
                  role="status"
                  className={classes("text-sm", outcome?.kind !== "done" && "text-danger")}
                >
                  {outcome?.text}
                </p>
              </li>
            );
          })}
        </ul>
      </ChangeForm>
    </FormModal>
  );
}

/** After a lost answer the change may be stored. Trying again then succeeds. */
async function store(
  client: QueryClient,
  edit: BulkEdit,
  { id, seen, patch }: PlannedEdit,
): Promise<Outcome> {
  const { done, textOf } = bulkEdits[edit];
  try {
    return { kind: "done", text: `Now ${textOf(await changeItem(seen, patch))}.` };
  } catch (error) {
    if (!isItemChanged(error)) throw error;
    await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
    const current = client.getQueryData(itemsQuery.queryKey)?.find((item) => item.id === id);
    const now = current === undefined ? "deleted" : textOf(current);
    return {
      kind: "overtaken",
      text: `Not ${done}: a colleague has changed it. It is now ${now}.`,
    };
  }
}

function PreviewText({ preview }: { preview: Preview }) {
  const { patch, from } = preview;
  if (patch === undefined) {
    const { reason } = preview;
    return (
      <span
        className={classes(
          "money block text-sm",
          reason === undefined ? "text-ink-soft" : "text-danger",
        )}
      >
        stays {from}
        {reason !== undefined && `: ${reason}`}
      </span>
    );
  }
  return (
    <span className="money block text-sm">
      <del className="text-ink-soft no-underline">{from}</del> <span aria-hidden>→</span>{" "}
      <ins className="no-underline">{preview.to}</ins>
    </span>
  );
}
