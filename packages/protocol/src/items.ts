import * as z from "zod/mini";
import { amountAsCents } from "./codecs.ts";

/** Up to this count, customers see how many pieces are left. */
export const MAX_SHOWN_STOCK = 10;

/**
 * Whether an item is in stock: `false` if it is sold out, the count if 1 to {@link MAX_SHOWN_STOCK}
 * pieces are left, and `true` if there are more or it is not counted.
 */
const inStockSchema = z.union([z.boolean(), z.int().check(z.gte(1), z.lte(MAX_SHOWN_STOCK))]);
export type InStock = z.output<typeof inStockSchema>;
/** A missing item is not for sale. */
export type StockByItem = ReadonlyMap<string, InStock>;

/** The {@link InStock} of a count of pieces; `null` for an item that is not counted. */
export function inStockOf(stock: number | null): InStock {
  if (stock === null || stock > MAX_SHOWN_STOCK) return true;
  return stock > 0 && stock;
}

/** An item in the catalogue. Pages also accept items without `in_stock`. */
export const itemSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: amountAsCents,
    image_url: z.string(),
    in_stock: z.optional(inStockSchema),
    image_urls: z.optional(z.array(z.string())),
    /** The id of its category, as in the address `/?category=kitchen`. */
    category: z.optional(z.string()),
    /** The id of the item in this list on whose page it is offered. */
    variant_of: z.optional(z.string()),
    /** Its name among the variants, such as "Small, blue". */
    variant_name: z.optional(z.string()),
  })
  .check(z.meta({ required: ["id", "name", "description", "price", "image_url", "in_stock"] }));
export type Item = z.output<typeof itemSchema>;

/** The answer of `GET /api/items`. */
export const itemsSchema = z.array(itemSchema);
