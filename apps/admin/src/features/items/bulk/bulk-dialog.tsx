import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { errorText } from "../../../lib/api.ts";
import { useNewForm } from "../../../lib/form.ts";
import { counted } from "../../../lib/format.ts";
import { itemChangeKey, itemsQuery } from "../../../lib/items.ts";
import { useBulk } from "../../../lib/use-bulk.ts";
import { ChangeForm } from "../../../ui/change-form.tsx";
import { TextField } from "../../../ui/form-fields.tsx";
import { FormModal } from "../../../ui/form-modal.tsx";
import { CategorySelect } from "../category-select.tsx";
import { changeItem, isItemChanged, refetchItems } from "../queries.ts";
import {
  type BulkEdit,
  bulkReport,
  type Outcome,
  openChanges,
  outcomeText,
  type PlannedEdit,
  type Preview,
  parseEdit,
} from "./bulk-edits.ts";

interface BulkDialogProps {
  readonly edit: BulkEdit;
  readonly items: readonly AdminItem[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

interface EditTexts {
  readonly title: (items: string) => string;
  readonly submit: string;
  /** Of the field for the new value; without a label there is none. */
  readonly label?: string;
  readonly hint?: string;
}

const editTexts: Readonly<Record<BulkEdit, EditTexts>> = {
  show: { title: (items) => `Show ${items} in the shop?`, submit: "Show" },
  hide: { title: (items) => `Hide ${items} from the shop?`, submit: "Hide" },
  price: {
    title: (items) => `Change the price of ${items}`,
    submit: "Change prices",
    label: "Change in percent",
    hint: "Such as 10, or -12.5 for a lower price.",
  },
  stock: {
    title: (items) => `Set the stock of ${items}`,
    submit: "Set stock",
    label: "Stock of each item",
    hint: "Empty: not counted.",
  },
  category: {
    title: (items) => `Set the category of ${items}`,
    submit: "Set category",
    label: "Category",
  },
};

/** Changes several items after showing the old and the new value of each. */
export function BulkDialog({ edit, items, onClose, onChanged }: BulkDialogProps) {
  const { data: current = items } = useQuery(itemsQuery);
  const client = useQueryClient();
  const { outcomes, run } = useBulk({
    noun: "item",
    change: store,
    report: (outcomes) =>
      bulkReport(edit, outcomes, client.getQueryData(itemsQuery.queryKey) ?? []),
    mutationKey: itemChangeKey,
    refetch: () => refetchItems(client),
    onAllDone: onChanged,
  });
  const texts = editTexts[edit];
  const form = useNewForm({
    schema: z.object({ text: textSchema(edit) }),
    labels: { text: texts.label ?? "" },
    values: { text: "" },
    async save({ text }) {
      const changes = openChanges(edit, text, items, outcomes);
      if (changes.length === 0) throw new Error("No item changes.");
      await run(changes);
    },
  });
  const { isSaving, typed } = form;
  const previews = parseEdit(edit, typed.text);
  const hasRun = outcomes.size > 0;
  const isDone = hasRun && openChanges(edit, typed.text, items, outcomes).length === 0;

  return (
    <FormModal title={texts.title(counted(items.length, "item"))} onClose={onClose}>
      <ChangeForm
        form={form}
        submit={isDone && !isSaving ? undefined : hasRun ? "Try again" : texts.submit}
        waiting={isSaving ? `Saving… ${outcomes.size} of ${items.length}` : undefined}
        actions={hasRun && !isSaving && <Button onClick={onClose}>Done</Button>}
      >
        {edit === "category" && (
          <CategorySelect label="Category" {...form.register("text")} value={typed.text} />
        )}
        {texts.hint !== undefined && (
          <TextField form={form} name="text" hint={texts.hint} autoComplete="off" />
        )}
        <ul aria-label="Items" className="divide-y divide-line">
          {items.map((item) => {
            const outcome = outcomes.get(item.id);
            // The current value of an item with a conflict is read after the last change.
            const isKnown = outcome?.kind !== "conflict" || !isSaving;
            return (
              <li key={item.id} className="py-2 wrap-anywhere">
                <span className="font-medium">{itemTitle(item)}</span>{" "}
                {outcome === undefined && previews.kind === "previews" && (
                  <PreviewText preview={previews.of(item)} />
                )}
                <p
                  role="status"
                  className={classes("text-sm", outcome?.kind !== "changed" && "text-danger")}
                >
                  {outcome !== undefined &&
                    isKnown &&
                    outcomeText(
                      edit,
                      outcome,
                      current.find(({ id }) => id === item.id),
                    )}
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
async function store({ seen, patch }: PlannedEdit): Promise<Outcome> {
  try {
    return { kind: "changed", item: await changeItem(seen, patch) };
  } catch (error) {
    if (isItemChanged(error)) return { kind: "conflict" };
    return { kind: "failed", text: errorText(error) };
  }
}

function textSchema(edit: BulkEdit) {
  return z.string().check((context) => {
    const parsed = parseEdit(edit, context.value);
    if (parsed.kind === "invalid")
      context.issues.push({ code: "custom", message: parsed.message, input: context.value });
  });
}

function PreviewText({ preview }: { preview: Preview }) {
  switch (preview.kind) {
    case "change":
      return (
        <span className="money block text-sm">
          <del className="text-ink-soft no-underline">{preview.from}</del>{" "}
          <span aria-hidden>→</span> <ins className="no-underline">{preview.to}</ins>
        </span>
      );
    case "same":
      return <span className="money block text-sm text-ink-soft">stays {preview.value}</span>;
    case "refused":
      return (
        <span className="money block text-sm text-danger">
          stays {preview.value}: {preview.reason}
        </span>
      );
  }
}
