import { amountFromCents, centsFromAmount, decimalFromCents, itemIdOf } from "@keepsats/domain";
import {
  type ExpectedItem,
  type ItemPatch,
  type ItemWrite,
  itemIdSchema,
  itemWriteSchema,
  MAX_PICTURES,
  type MerchantItem,
  pictureAddressSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { errorSentence } from "../../lib/api.ts";
import { emptyAs } from "../../lib/form.ts";

const { name, description, price, stock } = itemWriteSchema.shape;

/** The fields of an item in which one types, by the rules of the API. */
const textFields = {
  name,
  description,
  price: z.pipe(typed("Type a price such as 12.50.", amountTyped), price),
  stock: z.pipe(
    typed<ItemWrite["stock"]>("Type a whole number of pieces, or nothing.", stockTyped),
    stock,
  ),
};

/** A text that is read as a value. @param message the error if `read` finds none */
function typed<Value>(message: string, read: (text: string) => Value | undefined) {
  return z.pipe(
    z.string(),
    z.transform((text: string, context): Value => {
      const value = read(text);
      if (value !== undefined) return value;
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    }),
  );
}

/** The form of an item. Without an id, a new item gets one that is made from its name. */
export const itemForm = {
  schema: z.object({
    ...textFields,
    id: emptyAs(undefined, z.optional(itemIdSchema)),
    hidden: z.boolean(),
    pictures: z
      .array(pictureAddressSchema)
      .check(
        z.minLength(1, "Add a picture."),
        z.maxLength(MAX_PICTURES + 1, `must be at most ${MAX_PICTURES + 1} pictures`),
      ),
  }),
  labels: {
    id: "Id",
    name: "Name",
    description: "Description",
    price: "Price in dollars",
    stock: "Stock (empty: not counted)",
    hidden: "Shown in shop",
    pictures: "Pictures",
  },
  texts: {
    // The value is `hidden`, but the label is "Shown in shop".
    hidden: (hidden: boolean) => (hidden ? "no" : "yes"),
    pictures: ({ length }: readonly string[]) =>
      length === 1 ? "1 picture" : `${length} pictures`,
  },
};

/** What is typed about an item; `pictures` are addresses, the first one for the card. */
export type ItemValues = z.input<typeof itemForm.schema>;
type ItemFields = z.output<typeof itemForm.schema>;

export const emptyItem: ItemValues = {
  id: "",
  name: "",
  description: "",
  price: "",
  stock: "",
  hidden: false,
  pictures: [],
};

export function itemValues(item: MerchantItem): ItemValues {
  const { id, name, description, price, stock, hidden, image_url, image_urls } = item;
  return {
    ...{ id, name, description, hidden },
    price: decimalFromCents(price),
    stock: stock === null ? "" : String(stock),
    pictures: [image_url, ...image_urls],
  };
}

/** The change of an item that has these fields of the form. */
export function patchOf({ id: _, pictures, ...fields }: Partial<ItemFields>): ItemPatch {
  if (pictures === undefined) return fields;
  const [image_url = "", ...image_urls] = pictures;
  return { ...fields, image_url, image_urls };
}

/** A new item with the fields of the form, and its id. */
export function newItemOf(
  { id, pictures, ...fields }: ItemFields,
  made: string,
): { readonly id: string; readonly item: ItemWrite } {
  const [image_url = "", ...image_urls] = pictures;
  return { id: id ?? made, item: { ...fields, image_url, image_urls } };
}

export function madeId(name: string, taken: readonly string[]): string {
  return itemIdOf(name, (id) => taken.includes(id));
}

/** What the fields of a change were when they were seen. */
export function expectedOf(patch: ItemPatch, seen: MerchantItem): ExpectedItem {
  return Object.fromEntries(Object.entries(seen).filter(([field]) => field in patch));
}

/** An item with the fields of a change that is made in the table. */
export function changedItem(item: MerchantItem, patch: ItemPatch): MerchantItem {
  const { name = item.name, price = item.price, stock = item.stock } = patch;
  return { ...item, name, price, stock };
}

type ReadField =
  | { readonly kind: "patch"; readonly patch: ItemPatch }
  | { readonly kind: "invalid"; readonly message: string };

/** Reads one field that is edited in the table. */
export function readField(field: "name" | "price" | "stock", text: string): ReadField {
  const read = textFields[field].safeParse(text);
  if (read.success) return { kind: "patch", patch: Object.fromEntries([[field, read.data]]) };
  return { kind: "invalid", message: errorSentence(read.error.issues[0]?.message ?? "") };
}

/**
 * An amount of dollars. It may have a dollar sign, commas between thousands, and a comma instead of
 * the point: 12,50.
 */
function amountTyped(text: string): number | undefined {
  const plain = text.replace(/[$\s]|,(?=\d{3}(\D|$))/g, "");
  const cents = centsFromAmount(plain.replace(/^(\d+),(\d{1,2})$/, "$1.$2"));
  return cents === undefined ? undefined : amountFromCents(cents);
}

/** A count of pieces, `null` for an empty text. */
function stockTyped(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}
