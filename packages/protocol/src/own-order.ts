import * as z from "zod/mini";
import { addressSchema } from "./place-order.ts";
import { readAddressSchema } from "./stored-people.ts";

/** The request header with the order's key, which the routes of the shopper's own order need. */
export const orderKeyHeader = "order-key";

/** The body of `PATCH /api/orders/:id`: a new shipping address, by the rules of the checkout. */
export const correctOrderSchema = z.object({
  shipping_address: addressSchema,
  /** The address as last read. If it has changed since, nothing is changed. */
  expected: z.optional(z.object({ shipping_address: readAddressSchema })),
});
export type CorrectOrder = z.output<typeof correctOrderSchema>;
