import {
  amountFromCents,
  centsFromAmount,
  isPrice,
  MAX_PRICE,
  shopCurrency,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, numberCodec, percentAsVatRate } from "./codecs.ts";
import { pictureAddressSchema } from "./pictures.ts";
import { expectedText, multiLine, singleLine } from "./texts.ts";

/** The price of an item: a number from 0.01 to 1,000,000 on the wire, and cents once decoded. */
const priceSchema = numberCodec({
  range: { exclusiveMinimum: 0, maximum: amountFromCents(MAX_PRICE) },
  parse(amount) {
    const cents = centsFromAmount(amount);
    return cents !== undefined && isPrice(cents) ? cents : undefined;
  },
  encode: amountFromCents,
  message: `must be an amount of ${shopCurrency.plural} from 0.01 to ${amountFromCents(MAX_PRICE)} with at most two decimals`,
  typeMessage: "must be a number such as 12.5",
});

/** The maximum length of the id of an item or a category. */
export const MAX_ITEM_ID = 100;

/** The id that the merchant gives an item. */
export const itemIdSchema = z
  .string()
  .check(
    z.regex(
      new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${MAX_ITEM_ID - 1}}$`),
      `must be 1 to ${MAX_ITEM_ID} letters, digits, dots, dashes or underscores`,
    ),
  );

/** The maximum number of further pictures of an item. */
export const MAX_PICTURES = 20;

/** The maximum number of pieces of an item. */
const MAX_STOCK = 1_000_000;

export const MAX_ITEM_NAME = 200;
export const MAX_VARIANT_NAME = 100;

/** Restricts the list of items to those on sale that are low in stock, or sold out (`none`). */
export const stockFilters = ["low", "none"] as const;
export type StockFilter = (typeof stockFilters)[number];

/** The pieces of an item that are left; `null` if they are not counted. */
const stockSchema = z.nullable(
  z
    .int({ error: "must be a whole number of pieces, or null for an item that is not counted" })
    .check(
      z.gte(0, "must not be less than 0"),
      z.lte(MAX_STOCK, `must be at most ${MAX_STOCK}, or null for an item that is not counted`),
    ),
);

/**
 * The body of `PUT items/{id}`. `category` is a name or an id. Without `image_urls`, `stock`,
 * `vat_rate`, `category`, `variant_of` or `variant_name` a known item keeps its own; a new one has
 * no further pictures and no category, is not counted and not a variant.
 */
export const itemWriteSchema = z.strictObject({
  name: singleLine(MAX_ITEM_NAME),
  description: multiLine(2_000),
  price: priceSchema,
  image_url: pictureAddressSchema,
  image_urls: z.optional(
    z
      .array(pictureAddressSchema)
      .check(z.maxLength(MAX_PICTURES, `must be at most ${MAX_PICTURES} pictures`)),
  ),
  stock: z.optional(stockSchema),
  vat_rate: z.optional(z.nullable(percentAsVatRate)),
  hidden: z.optional(z.boolean()),
  // A name or an id. An id can be longer than a name.
  category: z.optional(z.nullable(singleLine(MAX_ITEM_ID))),
  variant_of: z.optional(z.nullable(itemIdSchema)),
  variant_name: z.optional(z.nullable(singleLine(MAX_VARIANT_NAME))),
});
export type ItemWrite = z.output<typeof itemWriteSchema>;

/** The fields of an item to change. */
export const itemPatchSchema = z.partial(itemWriteSchema);
export type ItemPatch = z.output<typeof itemPatchSchema>;

export const adminItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: amountAsCents,
  image_url: z.string(),
  /** Further pictures. */
  image_urls: z.array(z.string()),
  /** The pieces that are left; `null` if they are not counted. */
  stock: z.nullable(z.int()),
  /** Its VAT rate in basis points, 0 if it is exempt; `null` for the rate of the shop. */
  vat_rate: z._default(z.nullable(percentAsVatRate), null),
  hidden: z.boolean(),
  /** The name of its category. */
  category: z._default(z.nullable(z.string()), null),
  /** The id of the item of which it is a variant. */
  variant_of: z._default(z.nullable(z.string()), null),
  /** Its name among the variants, such as "Small, blue". */
  variant_name: z._default(z.nullable(z.string()), null),
});
export type AdminItem = z.output<typeof adminItemSchema>;

/** The fields of an item as they were last read. */
export const expectedItemSchema = z.partial(
  z.strictObject({
    name: expectedText,
    description: expectedText,
    price: amountAsCents,
    image_url: expectedText,
    image_urls: z.array(expectedText).check(z.maxLength(1_000)),
    stock: z.nullable(z.int()),
    vat_rate: z.nullable(percentAsVatRate),
    hidden: z.boolean(),
    category: z.nullable(expectedText),
    variant_of: z.nullable(expectedText),
    variant_name: z.nullable(expectedText),
  }),
);
export type ExpectedItem = z.output<typeof expectedItemSchema>;

/**
 * The body of `PATCH items/{id}`. If a field differs from `expected`, nothing is changed.
 */
export const itemEditSchema = z.extend(itemPatchSchema, {
  expected: z.optional(expectedItemSchema),
});
export type ItemEdit = z.output<typeof itemEditSchema>;

export const adminItemsSchema = z.object({ items: z.array(adminItemSchema) });
