import { MAX_PRICE, orderStatuses } from "@keepsats/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import {
  amountAsCents,
  importAnswerSchema,
  itemImportSchema,
  itemsSchema,
  merchantItemsSchema,
  merchantOrderSchema,
  mismatchesSchema,
  mismatchKinds,
  orderPageSchema,
  placedOrderSchema,
  streamErrorKinds,
  streamMessageSchema,
} from "./index.ts";
import { secondsAsMilliseconds } from "./time.ts";

const cents = fc.nat({ max: 999_999_999_999 });
const price = fc.integer({ min: 1, max: MAX_PRICE });
/** Whole seconds in milliseconds, because the wire format has no fractions of a second. */
const moment = fc.nat({ max: 9_999_999_999 }).map((seconds) => seconds * 1_000);
const word = fc.string({ maxLength: 8 });
const status = fc.constantFrom(...orderStatuses);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const list = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 3 });

const address = fc.record({ street: word, city: word, state: word, postal_code: word, country: word });
const line = fc.record({ id: word, name: word, price: cents, quantity: fc.nat() });
const order = { id: word, status, items: list(line), total_price: cents, created_at: moment };
const people = { customer_name: word, customer_email: word, shipping_address: address };
const mismatch = {
  contract_id: word,
  kind: fc.constantFrom(...mismatchKinds),
  detail: word,
  seen_at: moment,
};
const item = { id: word, name: word, description: word, price: cents, image_url: word };

const merchantOrder = fc.record({
  ...order,
  ...people,
  billing_address: address,
  events: list(fc.record({ from: orNull(status), to: status, by: word, reason: orNull(word), at: moment })),
  contracts: list(
    fc.record({
      ...{ id: word, status: word, meaning: word, bound_at: moment },
      ...{ amount: orNull(cents), extends: orNull(word) },
    }),
  ),
  mismatches: list(fc.record(mismatch)),
});
const followed = fc.record(
  { ...order, ...people, payment_attempt_over: fc.boolean(), withheld: fc.boolean() },
  {
    requiredKeys: [
      "items",
      "total_price",
      "shipping_address",
      "customer_name",
      "customer_email",
      "created_at",
    ],
  },
);
const changedField = fc.oneof(
  fc.record({ field: fc.constant("price" as const), from: price, to: price }),
  fc.record({ field: fc.constantFrom("name", "description", "image_url"), from: word, to: word }),
  fc.record({ field: fc.constant("hidden" as const), from: fc.boolean(), to: fc.boolean() }),
);
const change = fc.oneof(
  fc.record({ kind: fc.constant("added" as const), id: word, name: word }),
  fc.record({ kind: fc.constant("changed" as const), id: word, name: word, fields: list(changedField) }),
);

/** Each codec with decoded values: cents and milliseconds. */
const codecs: [name: string, check: () => void][] = [
  both("amountAsCents", amountAsCents, cents),
  both("secondsAsMilliseconds", secondsAsMilliseconds, moment),
  both("itemsSchema", itemsSchema, list(fc.record(item))),
  both("placedOrderSchema", placedOrderSchema, fc.record({ ...order, key: word })),
  both(
    "streamMessageSchema",
    streamMessageSchema,
    fc.oneof(
      fc.record({ type: fc.constant("order" as const), data: followed }),
      fc.record({
        type: fc.constant("error" as const),
        data: fc.record({ kind: fc.constantFrom(...streamErrorKinds) }),
      }),
    ),
  ),
  both("merchantOrderSchema", merchantOrderSchema, merchantOrder),
  both(
    "orderPageSchema",
    orderPageSchema,
    fc.record({
      orders: list(
        fc.record({ id: word, status, customer_name: word, total_price: cents, created_at: moment }),
      ),
      next_cursor: orNull(word),
    }),
  ),
  both(
    "mismatchesSchema",
    mismatchesSchema,
    fc.record({
      mismatches: list(fc.record({ ...mismatch, order_id: orNull(word) })),
      next_cursor: orNull(word),
    }),
  ),
  both(
    "merchantItemsSchema",
    merchantItemsSchema,
    fc.record({ items: list(fc.record({ ...item, hidden: fc.boolean() })) }),
  ),
  both(
    "itemImportSchema",
    itemImportSchema,
    fc.record({
      items: fc.uniqueArray(
        fc.record(
          { id: fc.stringMatching(/^[a-z0-9]{1,8}$/), price, hidden: fc.boolean(), name: fc.constant("Mug") },
          { requiredKeys: ["id"] },
        ),
        { selector: ({ id }) => id, maxLength: 5 },
      ),
    }),
  ),
  both(
    "importAnswerSchema",
    importAnswerSchema,
    fc.record({
      ...{ added: fc.nat(), changed: fc.nat(), unchanged: fc.nat(), reordered: fc.boolean() },
      changes: list(change),
    }),
  ),
];

/** A value is unchanged after encoding, JSON and decoding. */
function both<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  values: fc.Arbitrary<z.output<Schema>>,
): [name: string, check: () => void] {
  const check = () =>
    fc.assert(
      fc.property(values, (value) => {
        const wire: unknown = JSON.parse(JSON.stringify(z.encode(schema, value)));
        const decoded = schema.parse(wire);
        expect(decoded).toEqual(value);
        expect(JSON.parse(JSON.stringify(z.encode(schema, decoded)))).toEqual(wire);
      }),
    );
  return [name, check];
}

test.each(codecs)("%s decodes what it has encoded", (_name, check) => check());

test("on the wire amounts have at most two decimals, and times no fraction of a second", () => {
  expect(z.encode(amountAsCents, 1_250)).toBe(12.5);
  for (const wrong of [0.001, -1, Number.NaN, 0.1 + 0.2])
    expect(amountAsCents.safeParse(wrong).success, String(wrong)).toBe(false);
  expect(z.encode(secondsAsMilliseconds, 1_999)).toBe(1);
  expect(secondsAsMilliseconds.safeParse(1.5).success).toBe(false);
});
