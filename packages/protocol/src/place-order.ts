import {
  addressFields,
  type Cents,
  centsFromAmount,
  checkoutFields,
  customerFields,
  decimalFromCents,
  type FieldDeclaration,
  fieldError,
  fieldText,
  MAX_LINES,
  mapFields,
  shopCurrency,
} from "@keepsats/domain";
import * as z from "zod/mini";
import { requestedPiecesSchema } from "./orders.ts";
import { unique } from "./unique.ts";

/**
 * A text that satisfies the rule of a field of the checkout form; its {@link fieldText} once
 * decoded. OpenAPI cannot express the rule, so the schema documents the field's length and pattern.
 */
function checkoutField(field: FieldDeclaration) {
  const { maxLength, pattern = /\S/, type } = field;
  const missing = fieldError(field, "");
  return z.pipe(
    z.string({ error: ({ input }) => (input === undefined ? missing : undefined) }).check(
      z.check<string>((context) => {
        const message = fieldError(field, context.value);
        if (message !== undefined) {
          context.issues.push({ code: "custom", message, input: context.value });
        }
      }),
      z.meta({
        minLength: 1,
        maxLength,
        pattern: pattern.source,
        ...(type === "email" ? { format: "idn-email" } : {}),
      }),
    ),
    z.transform(fieldText),
  );
}

/** An address by the rules of the checkout. */
export const addressSchema = z.object(
  mapFields(addressFields, (field) => checkoutField(checkoutFields.address[field])),
);

const linesSchema = z
  .array(requestedPiecesSchema)
  .check(
    z.minLength(1, "The cart is empty"),
    z.maxLength(MAX_LINES, `An order has at most ${MAX_LINES} lines`),
    unique("item_id", "This item is already on an earlier line"),
  );

/** The body of `POST /api/orders`. Unknown fields, such as a price, are ignored. */
export const placeOrderRequestSchema = z.object({
  items: linesSchema,
  ...mapFields(customerFields, (field) => checkoutField(checkoutFields.customer[field])),
  shipping_address: addressSchema,
  billing_address: addressSchema,
});
export type PlaceOrderBody = z.output<typeof placeOrderRequestSchema>;

/** An idempotency key: 1 to 200 printable ASCII characters. */
export const idempotencyKeySchema = z
  .string()
  .check(z.regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 printable ASCII characters"));

/** Enough digits for the highest total: 100 lines of 9,999 pieces at 1,000,000 each. */
const amount = /\d{1,12}(?:\.\d{1,2})?/.source;

function headerText(pattern: string, message: string) {
  return z.string().check(z.regex(new RegExp(`^${pattern}$`), message));
}

/** The value of the request header `Expected-Total`; cents once decoded. */
export const expectedTotalSchema = z.codec(
  headerText(amount, `must be an amount of ${shopCurrency.plural} such as 12.50`),
  z.number(),
  { decode: centsOf, encode: decimalFromCents },
);

/** The value of the request header `Expected-Prices`; cents once decoded. */
export const expectedPricesSchema = z.codec(
  headerText(
    `${amount}(?:, ?${amount})*`,
    `must be amounts of ${shopCurrency.plural} such as 12.50,45`,
  ),
  z.array(z.number()),
  {
    decode: (text) => text.split(",").map(centsOf),
    encode: (prices) => prices.map(decimalFromCents).join(","),
  },
);

function centsOf(text: string): Cents {
  const cents = centsFromAmount(text);
  if (cents === undefined) throw new Error("the pattern of a header allows an invalid amount");
  return cents;
}
