import { MAX_ITEM_NAME, MAX_VARIANT_NAME } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { Form } from "../../lib/forms/form.ts";
import { isFound, itemsQuery } from "../../lib/items.ts";
import { TextField } from "../../ui/forms/form-fields.tsx";
import type { ItemValues } from "./item-form.ts";

const MAX_SUGGESTED = 50;

/** The item on whose page this item is offered, and its name there. */
export function VariantFields({ form }: { readonly form: Form<ItemValues> }) {
  const list = useId();
  const { data: items = [] } = useQuery(itemsQuery);
  const { id, variant_of } = form.typed;
  const mains = items.filter(
    (item) => item.variant_of === null && item.id !== id && isFound(item, variant_of),
  );
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        form={form}
        name="variant_of"
        list={list}
        maxLength={MAX_ITEM_NAME}
        autoComplete="off"
        hint="Choose the item on whose page this one is offered."
      />
      <TextField
        form={form}
        name="variant_name"
        maxLength={MAX_VARIANT_NAME}
        hint="Such as “Small, blue”. Orders show it after the name."
      />
      <datalist id={list}>
        {mains.slice(0, MAX_SUGGESTED).map((item) => (
          <option key={item.id} value={item.id}>
            {item.name}
          </option>
        ))}
      </datalist>
    </div>
  );
}
