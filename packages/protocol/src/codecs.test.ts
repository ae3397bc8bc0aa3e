import { MAX_PRICE, MAX_VAT_RATE } from "@keepsats/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import {
  amountAsCents,
  durationAsMilliseconds,
  percentAsVatRate,
  secondsAsMilliseconds,
  signedAmountAsCents,
} from "./codecs.ts";
import {
  adminItemsSchema,
  adminOrderSchema,
  importAnswerSchema,
  itemImportSchema,
  itemsSchema,
  orderPageSchema,
  paymentIssuesSchema,
  placedOrderSchema,
  receiptsSchema,
  streamMessageSchema,
  todaySchema,
} from "./index.ts";

const cents = fc.nat({ max: 999_999_999_999 });
/** Whole seconds in milliseconds, because the wire format has no fractions of a second. */
const moment = fc.nat({ max: 9_999_999_999 }).map((seconds) => seconds * 1_000);

const decoded = new Map<unknown, fc.Arbitrary<unknown>>([
  [amountAsCents, cents],
  [signedAmountAsCents, fc.integer({ min: -999_999_999_999, max: 999_999_999_999 })],
  [secondsAsMilliseconds, moment],
  [durationAsMilliseconds, moment],
  [percentAsVatRate, fc.nat({ max: MAX_VAT_RATE })],
]);

/** Decoded values of a schema. */
function valuesOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const known = decoded.get(schema);
  if (known !== undefined) return known;
  if (schema instanceof z.ZodMiniObject) {
    const fields = Object.entries(schema.shape);
    const required = fields.filter(([, field]) => !(field instanceof z.ZodMiniOptional));
    return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), {
      requiredKeys: required.map(([name]) => name),
    });
  }
  if (schema instanceof z.ZodMiniArray)
    return fc.array(valuesOf(schema._zod.def.element), { maxLength: 3 });
  if (schema instanceof z.ZodMiniNullable)
    return fc.option(valuesOf(schema._zod.def.innerType), { nil: null });
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault)
    return valuesOf(schema._zod.def.innerType);
  if (schema instanceof z.ZodMiniUnion || schema instanceof z.ZodMiniDiscriminatedUnion)
    return fc.oneof(...schema._zod.def.options.map(valuesOf));
  if (schema instanceof z.ZodMiniLiteral || schema instanceof z.ZodMiniEnum)
    return fc.constantFrom(...schema._zod.values);
  if (schema instanceof z.ZodMiniString) return fc.string({ maxLength: 8 });
  if (schema instanceof z.ZodMiniBoolean) return fc.boolean();
  // The range of `in_stock`.
  if (schema instanceof z.ZodMiniNumber) return fc.integer({ min: 1, max: 10 });
  throw new Error(`no values for ${schema._zod.def.type}`);
}

const schemas: Readonly<Record<string, z.ZodMiniType>> = {
  adminItemsSchema,
  adminOrderSchema,
  importAnswerSchema,
  itemsSchema,
  orderPageSchema,
  paymentIssuesSchema,
  placedOrderSchema,
  receiptsSchema,
  streamMessageSchema,
  todaySchema,
};

test.each(Object.entries(schemas))("%s decodes its own encoding", (_, schema) => {
  fc.assert(
    fc.property(valuesOf(schema), (value) => {
      const wire: unknown = JSON.parse(JSON.stringify(z.encode(schema, value)));
      expect(schema.parse(wire)).toEqual(value);
    }),
  );
});

test("an import decodes its own encoding", () => {
  const item = fc.record(
    {
      id: fc.stringMatching(/^[a-z0-9]{1,8}$/),
      price: fc.integer({ min: 1, max: MAX_PRICE }),
      hidden: fc.boolean(),
      name: fc.constant("Mug"),
    },
    { requiredKeys: ["id"] },
  );
  const items = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 5 });
  fc.assert(
    fc.property(fc.record({ items }), (value) => {
      const wire: unknown = JSON.parse(JSON.stringify(z.encode(itemImportSchema, value)));
      expect(itemImportSchema.parse(wire)).toEqual(value);
    }),
  );
});

test("on the wire amounts have at most two decimals, and times no fraction of a second", () => {
  expect(z.encode(amountAsCents, 1_250)).toBe(12.5);
  for (const wrong of [0.001, -1, Number.NaN, 0.1 + 0.2])
    expect(amountAsCents.safeParse(wrong).success, String(wrong)).toBe(false);
  expect(z.encode(secondsAsMilliseconds, 1_999)).toBe(1);
  expect(secondsAsMilliseconds.safeParse(1.5).success).toBe(false);
});
