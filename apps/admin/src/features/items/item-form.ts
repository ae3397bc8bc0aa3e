import {
  amountFromCents,
  decimalFromCents,
  itemIdOf,
  percentFromVatRate,
  vatRateFromPercent,
} from "@keepsats/domain";
import {
  type AdminItem,
  type ExpectedItem,
  type ItemPatch,
  type ItemWrite,
  itemIdSchema,
  itemWriteSchema,
  MAX_PICTURES,
  pictureAddressSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { centsFromText, counted, withoutPercentSign } from "../../lib/format.ts";
import { emptyAs, parsedText } from "../../lib/forms/form-schema.ts";

const { name, description, price, stock, vat_rate, category, variant_of, variant_name } =
  itemWriteSchema.shape;

export const itemForm = {
  schema: z.object({
    name,
    description,
    price: z.pipe(parsedText("Enter a price such as 12.50.", parseAmount), price),
    stock: z.pipe(
      parsedText<ItemWrite["stock"]>(
        "Enter a whole number of pieces, or leave it empty.",
        parseStock,
      ),
      stock,
    ),
    vat_rate: z.pipe(
      parsedText<ItemWrite["vat_rate"]>(
        "Enter a percentage such as 7.5, or leave it empty.",
        parseVatRate,
      ),
      vat_rate,
    ),
    id: emptyAs(undefined, z.optional(itemIdSchema)),
    hidden: z.boolean(),
    category: emptyAs(null, category),
    variant_of: emptyAs(null, variant_of),
    variant_name: emptyAs(null, variant_name),
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
    vat_rate: "VAT rate in percent",
    hidden: "Shown in shop",
    category: "Category",
    variant_of: "Variant of",
    variant_name: "Variant name",
    pictures: "Pictures",
  },
  texts: {
    // The label "Shown in shop" is the opposite of the value `hidden`.
    hidden: (hidden: boolean) => (hidden ? "no" : "yes"),
    pictures: ({ length }: readonly string[]) => counted(length, "picture"),
  },
};

/** The schema of an item among others: `variant_of` is the id or the name of a main item. */
export function itemSchemaAmong(items: readonly AdminItem[]) {
  const mainItem = parsedText("Choose an item from the list.", (text) => mainItemId(items, text));
  return z.extend(itemForm.schema, { variant_of: emptyAs(null, z.nullable(mainItem)) });
}

/** `undefined` if no item has this id, and not exactly one main item this name. */
function mainItemId(items: readonly AdminItem[], text: string): string | undefined {
  const wanted = text.trim();
  if (items.some(({ id }) => id === wanted)) return wanted;
  const [named, another] = items.filter(
    ({ variant_of, name }) => variant_of === null && name.toLowerCase() === wanted.toLowerCase(),
  );
  return another === undefined ? named?.id : undefined;
}

/** `pictures` are addresses, the first one for the card. */
export type ItemValues = z.input<typeof itemForm.schema>;
type ItemFields = z.output<typeof itemForm.schema>;

export const emptyItem: ItemValues = {
  id: "",
  name: "",
  description: "",
  price: "",
  stock: "",
  vat_rate: "",
  hidden: false,
  category: "",
  variant_of: "",
  variant_name: "",
  pictures: [],
};

/** The form of a new variant of an item. */
export function variantValues(main: AdminItem): ItemValues {
  return { ...itemValues(main), id: "", stock: "", variant_of: main.id, variant_name: "" };
}

export function itemValues(item: AdminItem): ItemValues {
  const { id, name, description, price, stock, vat_rate, hidden, image_url, image_urls } = item;
  const { category, variant_of, variant_name } = item;
  return {
    id,
    name,
    description,
    hidden,
    price: decimalFromCents(price),
    stock: stock === null ? "" : String(stock),
    category: category ?? "",
    variant_of: variant_of ?? "",
    variant_name: variant_name ?? "",
    vat_rate: vat_rate === null ? "" : String(percentFromVatRate(vat_rate)),
    pictures: [image_url, ...image_urls],
  };
}

export function patchOf({ id: _, pictures, ...fields }: Partial<ItemFields>): ItemPatch {
  if (pictures === undefined) return fields;
  const [image_url = "", ...image_urls] = pictures;
  return { ...fields, image_url, image_urls };
}

/** @param derivedId the id without one in the form */
export function newItemOf(
  { id, pictures, ...fields }: ItemFields,
  derivedId: string,
): { readonly id: string; readonly item: ItemWrite } {
  const [image_url = "", ...image_urls] = pictures;
  return { id: id ?? derivedId, item: { ...withoutNewerFields(fields), image_url, image_urls } };
}

/** Leaves out empty fields that a server of version 1.0 refuses: an update may still run one. */
function withoutNewerFields(fields: Omit<ItemFields, "id" | "pictures">) {
  return {
    ...fields,
    vat_rate: fields.vat_rate ?? undefined,
    category: fields.category ?? undefined,
    variant_of: fields.variant_of ?? undefined,
    variant_name: fields.variant_name ?? undefined,
  };
}

export function idFromName(name: string, taken: readonly string[]): string {
  return itemIdOf(name, (id) => taken.includes(id));
}

/** The values that a change replaces. `seen`: the item as it was shown. */
export function expectedOf(patch: ItemPatch, seen: AdminItem): ExpectedItem {
  return Object.fromEntries(Object.entries(seen).filter(([field]) => field in patch));
}

/** Dollars. */
function parseAmount(text: string): number | undefined {
  const cents = centsFromText(text);
  return cents === undefined ? undefined : amountFromCents(cents);
}

/** Percent as the API takes it; `null` for an empty text: the item has the rate of the shop. */
function parseVatRate(text: string): number | null | undefined {
  const trimmed = withoutPercentSign(text);
  if (trimmed === "") return null;
  const rate = vatRateFromPercent(trimmed);
  return rate === undefined ? undefined : percentFromVatRate(rate);
}

/** `null` for an empty text: the stock is not counted. */
function parseStock(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}
