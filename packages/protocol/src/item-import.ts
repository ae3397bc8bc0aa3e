import * as z from "zod/mini";
import { itemIdSchema, itemPatchSchema } from "./admin-items.ts";
import { amountAsCents, percentAsVatRate } from "./codecs.ts";
import { unique } from "./unique.ts";

/**
 * An item of an import. An existing item keeps the fields that are omitted; a new one needs every
 * field up to `image_url` except `id`. A missing id is made from the name.
 */
export const importedItemSchema = z.extend(itemPatchSchema, { id: z.optional(itemIdSchema) });
export type ImportedItem = z.output<typeof importedItemSchema>;

/** The error of an item with the same id as an earlier item of the import. */
export const duplicateItem = "is already the id of an earlier item";

/** The maximum number of items in one import. */
export const MAX_IMPORT = 50_000;

/** The maximum size of an import, in bytes. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;

/** The body of an import: all items are checked before any is stored. */
export const itemImportSchema = z.object({
  items: z
    .array(importedItemSchema)
    .check(z.maxLength(MAX_IMPORT), unique<ImportedItem>("id", duplicateItem)),
});

function changeOf<Field extends z.ZodMiniType<string>, Value extends z.ZodMiniType>(
  field: Field,
  value: Value,
) {
  return z.object({ field, from: value, to: value });
}

const changedField = z.discriminatedUnion("field", [
  changeOf(z.literal("price"), amountAsCents),
  changeOf(z.enum(["name", "description", "image_url"]), z.string()),
  changeOf(z.enum(["category", "variant_of", "variant_name"]), z.nullable(z.string())),
  changeOf(z.literal("vat_rate"), z.nullable(percentAsVatRate)),
  changeOf(z.literal("hidden"), z.boolean()),
  changeOf(z.literal("stock"), z.nullable(z.int())),
  changeOf(z.literal("image_urls"), z.array(z.string())),
]);
/** One field of an item before and after an import. */
export type ChangedField = z.output<typeof changedField>;

/** One item that an import adds or changes, with its new name. */
const itemChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("added"), id: z.string(), name: z.string() }),
  z.object({
    kind: z.literal("changed"),
    id: z.string(),
    name: z.string(),
    fields: z.array(changedField),
  }),
]);
export type ItemChange = z.output<typeof itemChangeSchema>;
export const itemChangesSchema = z.array(itemChangeSchema);

/** The changes of an import, or of a dry run. `reordered`: known items change their positions. */
export const importAnswerSchema = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  reordered: z.boolean(),
  changes: itemChangesSchema,
});
export type ImportAnswer = z.output<typeof importAnswerSchema>;
