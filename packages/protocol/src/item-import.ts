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

const changedField = z.discriminatedUnion("field", [
  z.object({ field: z.literal("price"), from: amountAsCents, to: amountAsCents }),
  z.object({
    field: z.enum(["name", "description", "image_url"]),
    from: z.string(),
    to: z.string(),
  }),
  z.object({
    field: z.enum(["category", "variant_of", "variant_name"]),
    from: z.nullable(z.string()),
    to: z.nullable(z.string()),
  }),
  z.object({
    field: z.literal("vat_rate"),
    from: z.nullable(percentAsVatRate),
    to: z.nullable(percentAsVatRate),
  }),
  z.object({ field: z.literal("hidden"), from: z.boolean(), to: z.boolean() }),
  z.object({ field: z.literal("stock"), from: z.nullable(z.int()), to: z.nullable(z.int()) }),
  z.object({ field: z.literal("image_urls"), from: z.array(z.string()), to: z.array(z.string()) }),
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
