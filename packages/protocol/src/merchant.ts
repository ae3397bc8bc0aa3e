import { orderStatuses } from "@keepsats/domain";
import * as z from "zod/mini";
import { dollarsAsCents, priceInDollars } from "./dollars.ts";
import { orderLineSchema } from "./orders.ts";

const printable = (limit: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, "must not be empty"),
    z.maxLength(limit, `must have at most ${limit} characters`),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: "must not have control characters" }),
  );

const itemId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      "must be 1 to 100 letters, digits, dots, dashes or underscores",
    ),
  );

const imageUrl = z.string().check(
  z.maxLength(2_000),
  z.refine((url) => url.startsWith("https://") || /^\/(?!\/)[\x21-\x7e]*$/.test(url), {
    error: "must start with https:// or be a path such as /pictures/mug.svg",
  }),
);

const itemFields = {
  name: printable(200),
  description: printable(2_000),
  price: priceInDollars,
  image_url: imageUrl,
  hidden: z.optional(z.boolean()),
};

/** An item as the merchant writes it; `price` in dollars. */
export const itemWriteSchema = z.strictObject(itemFields);
export type ItemWrite = z.output<typeof itemWriteSchema>;

/** Some fields of an item, to change those alone. */
export const itemPatchSchema = z.partial(itemWriteSchema);
export type ItemPatch = z.output<typeof itemPatchSchema>;

const importedItemSchema = z.strictObject({ id: itemId, ...itemFields });
export type ImportedItem = z.output<typeof importedItemSchema>;

/** The most items one import may carry. */
export const MAX_IMPORT = 50_000;

/** The body of an import: all items are checked before any is stored. */
export const itemImportSchema = z.object({
  items: z.array(importedItemSchema).check(
    z.maxLength(MAX_IMPORT),
    z.check((context) => {
      const seen = new Set<string>();
      for (const [index, { id }] of context.value.entries()) {
        if (seen.has(id)) {
          context.issues.push({
            code: "custom",
            message: `id "${id}" stands on an earlier item already`,
            path: [index, "id"],
            input: id,
          });
        }
        seen.add(id);
      }
    }),
  ),
});
export const itemIdSchema = itemId;

/** An item as the merchant reads it; dollars on the wire, cents once parsed. */
export const merchantItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: dollarsAsCents,
  image_url: z.string(),
  hidden: z.boolean(),
});
export type MerchantItem = z.output<typeof merchantItemSchema>;
export const merchantItemsSchema = z.object({ items: z.array(merchantItemSchema) });

export const importAnswerSchema = z.object({ added: z.int(), changed: z.int(), unchanged: z.int() });
export type ImportAnswer = z.output<typeof importAnswerSchema>;

const statusSchema = z.enum(orderStatuses);

/** One row of the merchant's list of orders; `created_at` in epoch seconds. */
const orderSummarySchema = z.object({
  id: z.string(),
  status: statusSchema,
  customer_name: z.string(),
  total_price: dollarsAsCents,
  created_at: z.int(),
});
export const orderPageSchema = z.object({
  orders: z.array(orderSummarySchema),
  next_cursor: z.nullable(z.string()),
});
export type OrderPage = z.output<typeof orderPageSchema>;

export const orderListQuerySchema = z.object({
  status: z.optional(statusSchema),
  cursor: z.optional(z.string().check(z.regex(/^\d{1,16}_[0-9a-f-]{36}$/, "is no cursor of this list"))),
});

const address = z.object({
  street: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  country: z.string(),
});

/** Everything the merchant may know of one order. */
export const merchantOrderSchema = z.object({
  id: z.string(),
  status: statusSchema,
  items: z.array(orderLineSchema),
  total_price: dollarsAsCents,
  customer_name: z.string(),
  customer_email: z.string(),
  shipping_address: address,
  billing_address: address,
  created_at: z.int(),
  events: z.array(
    z.object({
      from: z.nullable(statusSchema),
      to: statusSchema,
      by: z.string(),
      reason: z.nullable(z.string()),
      at: z.int(),
    }),
  ),
  contracts: z.array(
    z.object({ id: z.string(), status: z.string(), meaning: z.string(), bound_at: z.int() }),
  ),
});
export type MerchantOrder = z.output<typeof merchantOrderSchema>;
/** A {@link MerchantOrder} as it stands on the wire: amounts in dollars. */
export type WireMerchantOrder = z.input<typeof merchantOrderSchema>;

/** The body of a merchant's move of an order. */
export const transitionRequestSchema = z.object({
  to: statusSchema,
  reason: z.optional(printable(500)),
});
/** What came of it: `changed` is false where the order was there already. */
export const transitionAnswerSchema = z.object({
  id: z.string(),
  status: statusSchema,
  changed: z.boolean(),
});
export type TransitionAnswer = z.output<typeof transitionAnswerSchema>;

/** Why a contract does not pay the order that it was meant for. */
export const mismatchKinds = [
  "foreign",
  "reused",
  "wrong-asset",
  "underpaid",
  "second",
  "paid-after-cancel",
  "unknown-status",
] as const;
export type MismatchKind = (typeof mismatchKinds)[number];

/** Which page of the mismatches: `cursor` is what the page before it gave as `next_cursor`. */
export const mismatchQuerySchema = z.object({
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, "is no cursor of this list"))),
});

export const mismatchesSchema = z.object({
  next_cursor: z.nullable(z.string()),
  mismatches: z.array(
    z.object({
      contract_id: z.string(),
      order_id: z.nullable(z.string()),
      kind: z.enum(mismatchKinds),
      detail: z.string(),
      seen_at: z.int(),
    }),
  ),
});
export type Mismatches = z.output<typeof mismatchesSchema>;
