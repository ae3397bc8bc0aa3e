import * as z from "zod/mini";
import { dollarsAsCents } from "./dollars.ts";

/** An item as a shopper's browser reads it; `price` is in dollars on the wire, in cents once decoded. */
export const itemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: dollarsAsCents,
  image_url: z.string(),
});
export type Item = z.output<typeof itemSchema>;

/** The answer of `GET /api/items`. */
export const itemsSchema = z.array(itemSchema);
