import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Form } from "../../lib/form.ts";
import { itemsQuery } from "../../lib/items.ts";
import { useStoredForm } from "../../lib/stored-form.ts";
import { type ItemValues, itemForm, itemSchemaAmong, itemValues, patchOf } from "./item-form.ts";
import { useChangeItem } from "./queries.ts";

export const DELETED = "Someone else has deleted this item.";

interface ItemForm extends Form<ItemValues> {
  /** The item as it is stored now; `undefined` if it is deleted. */
  readonly stored: AdminItem | undefined;
}

/** The form of a stored item, in the dialog or for a field of the table. */
export function useItemForm(opened: AdminItem, onSaved: () => void): ItemForm {
  const client = useQueryClient();
  const toasts = useToasts();
  const changeItem = useChangeItem();
  const { data: items = [opened] } = useQuery(itemsQuery);
  const itemIn = (items: readonly AdminItem[]) => items.find(({ id }) => id === opened.id);
  const stored = itemIn(items);
  const form = useStoredForm({
    ...itemForm,
    schema: itemSchemaAmong(items),
    record: stored ?? opened,
    valuesOf: itemValues,
    async write(changes, seen) {
      const item = await changeItem(seen, patchOf(changes));
      toasts.success(`${itemTitle(item)} changed`);
      return item;
    },
    async read() {
      const item = itemIn(await client.fetchQuery({ ...itemsQuery, staleTime: 0 }));
      if (item === undefined) throw new Error(DELETED);
      return item;
    },
    onSaved,
  });
  return { ...form, stored };
}
