import {
  addressError,
  addressFields,
  customerError,
  customerFields,
  forEachField,
  MAX_LINES,
  MAX_QUANTITY,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { dollarsAsCents } from "./dollars.ts";

/** A text that obeys a rule of the checkout form; blanks around it are cut off. */
function ruled(rule: (value: string) => string | undefined) {
  return z.pipe(
    z.string({ error: ({ input }) => (input === undefined ? rule("") : undefined) }).check(
      z.check<string>((context) => {
        const message = rule(context.value);
        if (message !== undefined) {
          context.issues.push({ code: "custom", message, input: context.value });
        }
      }),
    ),
    z.transform((value: string) => value.trim()),
  );
}

export const addressSchema = z.object(
  forEachField(addressFields, (field) => ruled((value) => addressError(field, value))),
);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text has the form of an order's id, which is a UUID in lower case. */
export function isOrderId(text: string): boolean {
  return uuid.test(text);
}

/** An address as it was stored: its rules were checked then, and may have been others. */
export const storedAddressSchema = z.object(forEachField(addressFields, () => z.string()));

const linesSchema = z
  .array(
    z.object({
      item_id: z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "is no id of an item")),
      quantity: z.int().check(z.gte(1), z.lte(MAX_QUANTITY)),
    }),
  )
  .check(
    z.minLength(1, "The basket is empty"),
    z.maxLength(MAX_LINES, `An order has at most ${MAX_LINES} lines`),
    z.check((context) => {
      const seen = new Set<string>();
      for (const [index, { item_id }] of context.value.entries()) {
        if (seen.has(item_id)) {
          context.issues.push({
            code: "custom",
            message: "This item is on an earlier line already",
            path: [index, "item_id"],
            input: item_id,
          });
        }
        seen.add(item_id);
      }
    }),
  );

/** The body of `POST /api/orders`. Unknown fields, such as a price, are ignored. */
export const createOrderSchema = z.object({
  items: linesSchema,
  ...forEachField(customerFields, (field) => ruled((value) => customerError(field, value))),
  shipping_address: addressSchema,
  billing_address: addressSchema,
});
export type CreateOrder = z.output<typeof createOrderSchema>;

/** A line of an order: name and unit price as they were when it was placed; dollars on the wire, cents once parsed. */
export const orderLineSchema = z.object({
  id: z.string(),
  name: z.string(),
  price: dollarsAsCents,
  quantity: z.int(),
});
export type OrderLine = z.output<typeof orderLineSchema>;

/**
 * The answer of `POST /api/orders`: what was placed, priced by the server. `key` is the secret of the order's own link;
 * servers before it answer without, and may run beside newer ones during an upgrade.
 */
export const placedOrderSchema = z.object({
  id: z.string(),
  status: z.string(),
  items: z.array(orderLineSchema),
  total_price: dollarsAsCents,
  created_at: z.int(),
  key: z.optional(z.string()),
});
export type PlacedOrder = z.output<typeof placedOrderSchema>;
export type WirePlacedOrder = z.input<typeof placedOrderSchema>;

/** The optional request header that makes `POST /api/orders` safe to repeat. */
export const idempotencyHeader = "idempotency-key";
/** What an idempotency key looks like: 1 to 200 printable ASCII characters. */
export const idempotencyKeySchema = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));
