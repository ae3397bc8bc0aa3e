import {
  amountFromCents,
  type Cents,
  centsFromAmount,
  currency,
  isPrice,
  MAX_PRICE,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents } from "./codecs.ts";
import { lines, printable, readText } from "./texts.ts";

/** The price of an item: a number from 0.01 to 1,000,000 on the wire, and cents once decoded. */
const priceSchema = z.codec(
  z
    .number({ error: "must be a number such as 12.5" })
    .check(z.meta({ exclusiveMinimum: 0, maximum: amountFromCents(MAX_PRICE) })),
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

/** The address of a picture: on the web, or a path of the shop such as `/pictures/mug.svg`. */
export const pictureAddressSchema = z.string().check(
  z.maxLength(2_000),
  z.refine((url) => isWebPicture(url) || isOwnPath(url), {
    error: "must start with https:// or be a path such as /pictures/mug.svg",
  }),
  z.meta({ pattern: "^(?:https://|/)" }),
);

function isWebPicture(url: string): boolean {
  return /^https:\/\/[^\s\\\p{Cc}\p{Cs}]+$/u.test(url) && URL.canParse(url);
}

/**
 * Whether a browser resolves a text to a path of the shop's own origin, and to exactly this path.
 * It does not for `//evil`, `/\\evil`, a tab between two slashes and `/../x`; `/%5cevil` is unsafe
 * for programs that decode it. A path that cannot be decoded, such as `/%ff.png`, names no file.
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

/** The most further pictures of an item. */
export const MAX_PICTURES = 20;

/** The highest count of pieces of an item. */
export const MAX_STOCK = 1_000_000;

/**
 * What the list of items can be restricted to: items on sale of which a few pieces are left
 * (`low`), or none.
 */
export const stockFilters = ["low", "none"] as const;
export type StockFilter = (typeof stockFilters)[number];

/** How many pieces of an item are left; `null` if it is not counted. */
const stockSchema = z.nullable(
  z
    .int({ error: "must be a whole number of pieces, or null for an item that is not counted" })
    .check(
      z.gte(0, "must not be less than 0"),
      z.lte(MAX_STOCK, `must be at most ${MAX_STOCK}, or null for an item that is not counted`),
    ),
);

const itemFields = {
  name: printable(200),
  description: lines(2_000),
  price: priceSchema,
  image_url: pictureAddressSchema,
  image_urls: z.optional(
    z
      .array(pictureAddressSchema)
      .check(z.maxLength(MAX_PICTURES, `must be at most ${MAX_PICTURES} pictures`)),
  ),
  stock: z.optional(stockSchema),
  hidden: z.optional(z.boolean()),
};

/**
 * An item as the merchant writes it; `price` is an amount such as `12.5` on the wire, and cents
 * once decoded. Without `image_urls` or `stock` a known item keeps its own; a new one has no
 * further pictures and is not counted.
 */
export const itemWriteSchema = z.strictObject(itemFields);
export type ItemWrite = z.output<typeof itemWriteSchema>;

/** The fields of an item to change; the others stay unchanged. */
export const itemPatchSchema = z.partial(itemWriteSchema);
export type ItemPatch = z.output<typeof itemPatchSchema>;

/**
 * An item of an import. An existing item keeps the fields that are omitted; a new one needs every
 * field except `id`, `image_urls`, `stock` and `hidden`. A missing id is made from the name.
 */
export const importedItemSchema = z.extend(itemPatchSchema, { id: z.optional(itemIdSchema) });
export type ImportedItem = z.output<typeof importedItemSchema>;

/** The error of an item with the same id as an earlier item of the import. */
export const duplicateItem = "is the id of an earlier item already";

/** The most items in one import. */
export const MAX_IMPORT = 50_000;

/** The largest body of an import, in bytes. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;

/** The body of an import: all items are checked before any is stored. */
export const itemImportSchema = z.object({
  items: z.array(importedItemSchema).check(
    z.maxLength(MAX_IMPORT),
    z.check((context) => {
      const seen = new Set<string>();
      for (const [index, { id }] of context.value.entries()) {
        if (id === undefined) continue;
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

/**
 * An item as the merchant reads it; `price` is an amount such as `12.5` on the wire, and cents once
 * decoded.
 */
export const merchantItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: amountAsCents,
  image_url: z.string(),
  /** The addresses of further pictures. */
  image_urls: z.array(z.string()),
  /** How many pieces are left; `null` if it is not counted. */
  stock: z.nullable(z.int()),
  hidden: z.boolean(),
});
export type MerchantItem = z.output<typeof merchantItemSchema>;

/** The fields of an item as whoever changes them has read them. */
export const expectedItemSchema = z.partial(
  z.strictObject({
    name: readText,
    description: readText,
    price: amountAsCents,
    image_url: readText,
    image_urls: z.array(readText).check(z.maxLength(1_000)),
    stock: z.nullable(z.int()),
    hidden: z.boolean(),
  }),
);
export type ExpectedItem = z.output<typeof expectedItemSchema>;

/**
 * The body of a change of an item: the fields to change, and under `expected` what some fields have
 * to be for the change to be made.
 */
export const itemEditSchema = z.extend(itemPatchSchema, {
  expected: z.optional(expectedItemSchema),
});
export type ItemEdit = z.output<typeof itemEditSchema>;

export const merchantItemsSchema = z.object({ items: z.array(merchantItemSchema) });

const changedField = z.discriminatedUnion("field", [
  z.object({ field: z.literal("price"), from: amountAsCents, to: amountAsCents }),
  z.object({
    field: z.enum(["name", "description", "image_url"]),
    from: z.string(),
    to: z.string(),
  }),
  z.object({ field: z.literal("hidden"), from: z.boolean(), to: z.boolean() }),
  z.object({ field: z.literal("stock"), from: z.nullable(z.int()), to: z.nullable(z.int()) }),
  z.object({ field: z.literal("image_urls"), from: z.array(z.string()), to: z.array(z.string()) }),
]);
/**
 * One field of an item before and after an import; prices are amounts such as `12.5` on the wire,
 * and cents once decoded.
 */
export type ChangedField = z.output<typeof changedField>;

/** One item that an import adds or changes. `name` is the one it has afterwards. */
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

/**
 * The changes of an import, or of a dry run. `reordered`: whether known items change their places.
 */
export const importAnswerSchema = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  reordered: z.boolean(),
  changes: itemChangesSchema,
});
export type ImportAnswer = z.output<typeof importAnswerSchema>;
