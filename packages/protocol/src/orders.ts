import { orderStatuses } from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents } from "./amount.ts";
import { secondsAsMilliseconds } from "./time.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the form of an order's id, which is a UUID in lower case. */
export function isOrderId(text: string): boolean {
  return uuid.test(text);
}

/** The status of an order as a shopper's page reads it: any text, because a newer server may send a newer status. */
export const statusTextSchema = z.string().check(z.meta({ enum: orderStatuses }));

/** A line of an order: name and unit price as they were when it was placed; amounts on the wire, cents once decoded. */
export const orderLineSchema = z.object({
  id: z.string(),
  name: z.string(),
  price: amountAsCents,
  quantity: z.int(),
});
export type OrderLine = z.output<typeof orderLineSchema>;

/**
 * The answer of `POST /api/orders`: what was placed, priced by the server. Amounts are cents and `created_at` is in
 * milliseconds once decoded. `key` is the secret of the order's own link; servers of earlier versions answer without it,
 * and may run beside newer ones during an upgrade.
 */
export const placedOrderSchema = z.object({
  id: z.string(),
  status: statusTextSchema,
  items: z.array(orderLineSchema),
  total_price: amountAsCents,
  created_at: secondsAsMilliseconds,
  key: z.optional(z.string()),
});
export type PlacedOrder = z.output<typeof placedOrderSchema>;

/** The optional request header that makes `POST /api/orders` safe to repeat. */
export const idempotencyHeader = "idempotency-key";
