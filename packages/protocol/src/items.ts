import * as z from "zod/mini";
import { amountAsCents } from "./amount.ts";

/** An item as a shopper's browser reads it; `price` is an amount such as `12.5` on the wire, and cents once decoded. */
export const itemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: amountAsCents,
  image_url: z.string(),
});
export type Item = z.output<typeof itemSchema>;

/** The answer of `GET /api/items`. */
export const itemsSchema = z.array(itemSchema);
