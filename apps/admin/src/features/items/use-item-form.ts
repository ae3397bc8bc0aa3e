import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery } from "@tanstack/react-query";
import type { Form } from "../../lib/forms/form.ts";
import { useStoredForm } from "../../lib/forms/stored-form.ts";
import { itemsQuery } from "../../lib/items.ts";
import { type ItemValues, itemForm, itemSchemaAmong, itemValues, patchOf } from "./item-form.ts";
import { useChangeItem } from "./queries.ts";

interface ItemForm extends Form<ItemValues> {
  /** The item as it is stored now; `undefined` if it is deleted. */
  readonly stored: AdminItem | undefined;
}

/** The form of a stored item, in the dialog or for a field of the table. */
export function useItemForm(opened: AdminItem, onSaved: () => void): ItemForm {
  const toasts = useToasts();
  const changeItem = useChangeItem();
  const { data: items = [opened] } = useQuery(itemsQuery);
  const stored = items.find(({ id }) => id === opened.id);
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
    onSaved,
  });
  return { ...form, stored };
}
