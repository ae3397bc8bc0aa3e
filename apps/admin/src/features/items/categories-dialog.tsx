import { type Category, categoriesWriteSchema, MAX_CATEGORY_NAME } from "@keepsats/protocol";
import { Button, IconButton } from "@keepsats/ui/button.tsx";
import { Input } from "@keepsats/ui/input.tsx";
import { useQuery } from "@tanstack/react-query";
import { ArrowUp, X } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import { counted } from "../../lib/format.ts";
import { useNewForm } from "../../lib/forms/form.ts";
import { itemsQuery } from "../../lib/items.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { FormModal } from "../../ui/forms/form-modal.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Modal } from "../../ui/modal.tsx";
import { categoriesQuery, storeCategories } from "./queries.ts";

interface CategoriesDialogProps {
  readonly onClose: () => void;
}

export function CategoriesDialog({ onClose }: CategoriesDialogProps) {
  const query = useQuery(categoriesQuery);
  if (query.data !== undefined) return <CategoriesForm {...query.data} onClose={onClose} />;
  return (
    <Modal title="Categories" onClose={onClose}>
      <Loaded query={query} subject="The categories" />
    </Modal>
  );
}

interface Row {
  /** Of React, because a new category has no id. */
  readonly key: string;
  /** `undefined` for a new category. */
  readonly id?: string | undefined;
  readonly name: string;
}

const rowsSchema = z.pipe(
  z.transform((rows: Row[]) => rows.map(({ key: _, ...category }) => category)),
  categoriesWriteSchema.shape.categories,
);

interface CategoriesFormProps extends CategoriesDialogProps {
  readonly categories: readonly Category[];
}

function CategoriesForm({ categories: current, onClose }: CategoriesFormProps) {
  // The list on which the edits are based: the server refuses to replace a later one.
  const [categories] = useState(current);
  const { data: items = [] } = useQuery(itemsQuery);
  const added = useRef(0);
  const form = useNewForm<{ rows: Row[] }, { rows: Omit<Row, "key">[] }>({
    schema: z.object({ rows: rowsSchema }),
    done: "Categories changed",
    labels: { rows: "Categories" },
    values: { rows: categories.map((category) => ({ ...category, key: category.id })) },
    async save({ rows }) {
      await storeCategories(rows, categories);
      onClose();
    },
  });
  const { rows } = form.typed;
  const setRows = (next: Row[]) => form.setValue("rows", next);
  function addRow(): void {
    added.current += 1;
    flushSync(() => setRows([...rows, { key: `new-${added.current}`, name: "" }]));
    form.setFocus(`rows.${rows.length}.name`);
  }
  const removed = categories.filter(({ id }) => !rows.some((row) => row.id === id));
  const affected = items.filter(({ category }) => removed.some(({ name }) => name === category));
  return (
    <FormModal title="Categories" onClose={onClose} isUnsaved={form.edited.length > 0}>
      <ChangeForm form={form} submit="Save">
        <p className="text-ink-soft">
          Once two categories have items, the shop shows a link for each, in this order.
        </p>
        <ul className="grid gap-2">
          {rows.map((row, index) => (
            <li key={row.key} className="flex items-start gap-1">
              <Input
                label={`Category ${index + 1}`}
                error={form.errorOf(`rows.${index}.name`)}
                maxLength={MAX_CATEGORY_NAME}
                {...form.register(`rows.${index}.name`)}
                className="grow"
              />
              <IconButton
                label={`Move ${row.name} up`}
                className="mt-7"
                disabled={index === 0}
                onClick={() => setRows(rows.toSpliced(index, 1).toSpliced(index - 1, 0, row))}
              >
                <ArrowUp aria-hidden size={18} />
              </IconButton>
              <IconButton
                label={`Remove ${row.name}`}
                className="mt-7"
                onClick={() => setRows(rows.toSpliced(index, 1))}
              >
                <X aria-hidden size={18} />
              </IconButton>
            </li>
          ))}
        </ul>
        <div>
          <Button onClick={addRow}>Add category</Button>
        </div>
        <p role="status" className="text-sm empty:hidden">
          {affected.length > 0 && `${counted(affected.length, "item")} will have no category.`}
        </p>
      </ChangeForm>
    </FormModal>
  );
}
