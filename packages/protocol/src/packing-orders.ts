import * as z from "zod/mini";
import {
  adminOrderSchema,
  type OrderEventKind,
  orderEventSchema,
  orderSummarySchema,
} from "./admin-orders.ts";
import { orderLineSchema } from "./orders.ts";

/** The kinds of order events that packers see: the texts of the others may have amounts. */
export const packingEventKinds = [
  "placed",
  "moved",
  "address-corrected",
  "shipment-corrected",
  "noted",
  "erased",
] as const satisfies readonly OrderEventKind[];

/** One row of the list of orders, without its total and the customer's email address. */
const packingSummarySchema = z.pick(orderSummarySchema, {
  id: true,
  number: true,
  status: true,
  customer_name: true,
  created_at: true,
  updated_at: true,
  item_count: true,
  pictures: true,
});

/** A page of orders for packers. A new field of the list is not sent to them until it is picked. */
export const packingOrderPageSchema = z.object({
  orders: z.array(packingSummarySchema),
  next_cursor: z.nullable(z.string()),
});
export type PackingOrderPage = z.output<typeof packingOrderPageSchema>;

const picked = z.pick(adminOrderSchema, {
  id: true,
  number: true,
  status: true,
  customer_name: true,
  shipping_address: true,
  created_at: true,
  carrier: true,
  tracking_number: true,
  tracking_url: true,
  erased_at: true,
  notes: true,
});

/**
 * An order for packers: without prices, loans, payments, refunds, deliveries, email address and
 * billing address.
 */
export const packingOrderSchema = z.extend(picked, {
  items: z.array(z.pick(orderLineSchema, { id: true, name: true, quantity: true })),
  /** Only {@link packingEventKinds}, without reasons and without messages to the customer. */
  events: z.array(
    z.pick(orderEventSchema, {
      kind: true,
      from: true,
      to: true,
      by: true,
      by_name: true,
      message: true,
      detail: true,
      at: true,
    }),
  ),
});
export type PackingOrder = z.output<typeof packingOrderSchema>;
