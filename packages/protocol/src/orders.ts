import {
  addressFields,
  customerFields,
  MAX_QUANTITY,
  mapFields,
  orderStatuses,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { amountAsCents, openEnum, secondsAsMilliseconds } from "./codecs.ts";
import { expectedText } from "./texts.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the format of an order's id, which is a UUID in lower case. */
export function isOrderId(text: string): boolean {
  return uuid.test(text);
}

/** The id of an order in an answer. */
export const orderIdSchema = z.string().check(z.meta({ format: "uuid" }));

/**
 * The order number in an answer. It is optional, because a server of version 1.0 does not send it.
 */
export const orderNumberSchema = z.optional(
  z.string().check(
    z.meta({
      description: "The number of the order that people read out; unique and increasing, with gaps",
      examples: ["K-10023"],
    }),
  ),
);

/** The request header with the order's key. */
export const orderKeyHeader = "order-key";

/** The status of an order in an answer. */
export const statusTextSchema = openEnum(orderStatuses);

/** A line of an order, with name and unit price at the time of the order. */
export const orderLineSchema = z.object({
  id: z.string(),
  name: z.string(),
  price: amountAsCents,
  quantity: z.int(),
});
export type OrderLine = z.output<typeof orderLineSchema>;

/** Pieces of an order's line, such as those of a return. An order has one line for each item. */
export const piecesSchema = z.object({ item_id: z.string(), quantity: z.int() });

/** Pieces of an item in a request. */
export const requestedPiecesSchema = z.object({
  item_id: z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "is not an id of an item")),
  quantity: z.int().check(z.gte(1), z.lte(MAX_QUANTITY)),
});

export const eachItemOnce = z.refine<readonly { readonly item_id: string }[]>(
  (lines) => new Set(lines.map(({ item_id }) => item_id)).size === lines.length,
  { error: "name an item twice" },
);

/**
 * An address as it was stored. It is not validated, because the rules of the checkout may have
 * changed since.
 */
export const storedAddressSchema = z.object(mapFields(addressFields, () => z.string()));
/** An address sent back as it was read, for comparison only. */
export const expectedAddressSchema = z.object(mapFields(addressFields, () => expectedText));
/** The fields about the customer, as they were stored. */
export const storedCustomer = mapFields(customerFields, () => z.string());

/**
 * The answer of `POST /api/orders`: the order, with the server's prices. `key` is the secret in the
 * order link. Pages also accept an answer without it.
 */
export const placedOrderSchema = z
  .object({
    id: orderIdSchema,
    number: orderNumberSchema,
    status: statusTextSchema,
    items: z.array(orderLineSchema),
    total_price: amountAsCents,
    created_at: secondsAsMilliseconds,
    key: z.optional(z.string()),
  })
  .check(
    z.meta({
      required: ["id", "number", "status", "items", "total_price", "created_at", "key"],
    }),
  );
export type PlacedOrder = z.output<typeof placedOrderSchema>;

/** The optional request header that makes `POST /api/orders` safe to retry. */
export const idempotencyHeader = "idempotency-key";

/**
 * The optional request header of `POST /api/orders` with the total that the customer saw, such as
 * `12.50`. If the total has changed, the order is not placed, and the answer is the problem
 * `price_changed`.
 */
export const expectedTotalHeader = "expected-total";

/**
 * The optional request header of `POST /api/orders` with the id of an unpaid order to cancel in the
 * same transaction, which frees its stock for the new order. The header `Order-Key` has the key of
 * that order.
 */
export const replacedOrderHeader = "replaced-order";

/**
 * The optional request header beside {@link expectedTotalHeader} with the unit price of each line
 * as the customer saw it, in the order of the lines, such as `12.50,45.00`. It has no effect except
 * that the problem `price_changed` repeats these prices beside the current ones.
 */
export const expectedPricesHeader = "expected-prices";
