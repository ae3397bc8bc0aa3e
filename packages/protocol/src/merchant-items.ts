import * as z from "zod/mini";
import { dollarsAsCents, priceInDollars } from "./dollars.ts";

/** A text without control characters, 1 to `limit` long once blanks around it are cut off. */
export const printable = (limit: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "must not have control characters" }),
  );

const itemId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      "must be 1 to 100 letters, digits, dots, dashes or underscores",
    ),
  );

const imageUrl = z.string().check(
  z.maxLength(2_000),
  z.refine((url) => /^https:\/\/[^\s\p{Cc}\p{Cs}]+$/u.test(url) || /^\/(?!\/)[\x21-\x7e]*$/.test(url), {
    error: "must start with https:// or be a path such as /pictures/mug.svg",
  }),
);

const itemFields = {
  name: printable(200),
  description: printable(2_000),
  price: priceInDollars,
  image_url: imageUrl,
  hidden: z.optional(z.boolean()),
};

/** An item as the merchant writes it; `price` in dollars. */
export const itemWriteSchema = z.strictObject(itemFields);
export type ItemWrite = z.output<typeof itemWriteSchema>;

/** Some fields of an item, to change those alone. */
export const itemPatchSchema = z.partial(itemWriteSchema);
export type ItemPatch = z.output<typeof itemPatchSchema>;

const importedItemSchema = z.strictObject({ id: itemId, ...itemFields });
export type ImportedItem = z.output<typeof importedItemSchema>;

/** The most items one import may carry. */
export const MAX_IMPORT = 50_000;

/** The body of an import: all items are checked before any is stored. */
export const itemImportSchema = z.object({
  items: z.array(importedItemSchema).check(
    z.maxLength(MAX_IMPORT),
    z.check((context) => {
      const seen = new Set<string>();
      for (const [index, { id }] of context.value.entries()) {
        if (seen.has(id)) {
          context.issues.push({
            code: "custom",
            message: `id "${id}" stands on an earlier item already`,
            path: [index, "id"],
            input: id,
          });
        }
        seen.add(id);
      }
    }),
  ),
});
export const itemIdSchema = itemId;

/** An item as the merchant reads it; dollars on the wire, cents once parsed. */
export const merchantItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: dollarsAsCents,
  image_url: z.string(),
  hidden: z.boolean(),
});
export type MerchantItem = z.output<typeof merchantItemSchema>;
/** A {@link MerchantItem} as it stands on the wire: `price` in dollars. */
export type WireMerchantItem = z.input<typeof merchantItemSchema>;
export const merchantItemsSchema = z.object({ items: z.array(merchantItemSchema) });

export const importAnswerSchema = z.object({ added: z.int(), changed: z.int(), unchanged: z.int() });
export type ImportAnswer = z.output<typeof importAnswerSchema>;
