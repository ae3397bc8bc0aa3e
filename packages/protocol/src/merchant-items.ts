import { amountFromCents, type Cents, centsFromAmount, currency, isPrice, MAX_PRICE } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents } from "./amount.ts";

/** A text without control characters, trimmed, 1 to `limit` characters long. */
export const printable = (limit: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "must not have control characters" }),
  );

/** The price of an item: a number from 0.01 to 1,000,000 on the wire, and cents once decoded. */
const priceSchema = z.codec(
  z.number().check(z.meta({ exclusiveMinimum: 0, maximum: amountFromCents(MAX_PRICE) })),
  z.number(),
  {
    decode(amount, context): Cents {
      const cents = centsFromAmount(amount);
      if (cents !== undefined && isPrice(cents)) return cents;
      context.issues.push({
        code: "custom",
        input: amount,
        message: `must be an amount of ${currency.plural} from 0.01 to ${amountFromCents(MAX_PRICE)} with at most two decimals`,
      });
      return z.NEVER;
    },
    encode: amountFromCents,
  },
);

/** The id that the merchant gives an item. */
export const itemIdSchema = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      "must be 1 to 100 letters, digits, dots, dashes or underscores",
    ),
  );

const imageUrl = z.string().check(
  z.maxLength(2_000),
  z.refine((url) => isWebPicture(url) || isOwnPath(url), {
    error: "must start with https:// or be a path such as /pictures/mug.svg",
  }),
);

function isWebPicture(url: string): boolean {
  return /^https:\/\/[^\s\\\p{Cc}\p{Cs}]+$/u.test(url) && URL.canParse(url);
}

/**
 * Whether a browser resolves a text to a path of the shop's own origin, and to exactly this path. It does not for
 * `//evil`, `/\\evil`, a tab between two slashes and `/../x`; `/%5cevil` is unsafe for programs that decode it. A path
 * that cannot be decoded, such as `/%ff.png`, names no file.
 */
function isOwnPath(path: string): boolean {
  const origin = "https://shop.invalid";
  if (!path.startsWith("/") || !URL.canParse(path, origin)) return false;
  if (new URL(path, origin).href !== `${origin}${path}`) return false;
  return isDecodable(path) && !/%(?:[01][\da-f]|2[ef]|5c|7f)|\/\//i.test(path);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const itemFields = {
  name: printable(200),
  description: printable(2_000),
  price: priceSchema,
  image_url: imageUrl,
  hidden: z.optional(z.boolean()),
};

/** An item as the merchant writes it; `price` is an amount such as `12.5` on the wire, and cents once decoded. */
export const itemWriteSchema = z.strictObject(itemFields);
export type ItemWrite = z.output<typeof itemWriteSchema>;

/** The fields of an item to change; the others stay unchanged. */
export const itemPatchSchema = z.partial(itemWriteSchema);
export type ItemPatch = z.output<typeof itemPatchSchema>;

/**
 * An item of an import. A known item keeps the fields that are not given; a new one needs every field except `hidden`.
 */
export const importedItemSchema = z.extend(itemPatchSchema, { id: itemIdSchema });
export type ImportedItem = z.output<typeof importedItemSchema>;

/** The error of an item with the same id as an earlier item of the import. */
export const duplicateItem = "is the id of an earlier item already";

/** The most items in one import. */
export const MAX_IMPORT = 20_000;

/** The largest body of an import, in bytes. */
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

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
            message: duplicateItem,
            path: [index, "id"],
            input: id,
          });
        }
        seen.add(id);
      }
    }),
  ),
});

/** An item as the merchant reads it; `price` is an amount such as `12.5` on the wire, and cents once decoded. */
export const merchantItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: amountAsCents,
  image_url: z.string(),
  hidden: z.boolean(),
});
export type MerchantItem = z.output<typeof merchantItemSchema>;
export const merchantItemsSchema = z.object({ items: z.array(merchantItemSchema) });

const changedField = z.discriminatedUnion("field", [
  z.object({ field: z.literal("price"), from: amountAsCents, to: amountAsCents }),
  z.object({ field: z.enum(["name", "description", "image_url"]), from: z.string(), to: z.string() }),
  z.object({ field: z.literal("hidden"), from: z.boolean(), to: z.boolean() }),
]);
/**
 * One field of an item before and after an import; prices are amounts such as `12.5` on the wire, and cents once
 * decoded.
 */
export type ChangedField = z.output<typeof changedField>;

/** One item that an import adds or changes. `name` is the one it has afterwards. */
const itemChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("added"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("changed"), id: z.string(), name: z.string(), fields: z.array(changedField) }),
]);
export type ItemChange = z.output<typeof itemChangeSchema>;
export const itemChangesSchema = z.array(itemChangeSchema);

/** The changes of an import, or of a dry run. `reordered`: whether known items change their places. */
export const importAnswerSchema = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  reordered: z.boolean(),
  changes: itemChangesSchema,
});
export type ImportAnswer = z.output<typeof importAnswerSchema>;
