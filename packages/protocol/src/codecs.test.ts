import { journalKinds, MAX_PRICE, orderStatuses } from "@keepsats/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import {
  adminItemsSchema,
  adminOrderSchema,
  amountAsCents,
  importAnswerSchema,
  issueKinds,
  itemImportSchema,
  itemsSchema,
  orderPageSchema,
  paymentIssuesSchema,
  placedOrderSchema,
  resolutions,
  signedAmountAsCents,
  streamErrorKinds,
  streamMessageSchema,
} from "./index.ts";

const cents = fc.nat({ max: 999_999_999_999 });
const signed = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });
const price = fc.integer({ min: 1, max: MAX_PRICE });
/** Whole seconds in milliseconds, because the wire format has no fractions of a second. */
const moment = fc.nat({ max: 9_999_999_999 }).map((seconds) => seconds * 1_000);
const word = fc.string({ maxLength: 8 });
const status = fc.constantFrom(...orderStatuses);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const list = <T>(element: fc.Arbitrary<T>) => fc.array(element, { maxLength: 3 });

const address = fc.record({
  street: word,
  city: word,
  state: word,
  postal_code: word,
  country: word,
});
const line = fc.record({ id: word, name: word, price: cents, quantity: fc.nat() });
const order = { id: word, status, items: list(line), total_price: cents, created_at: moment };
const personalData = { customer_name: word, customer_email: word, shipping_address: address };
const issue = {
  id: word,
  loan_id: word,
  order_id: orNull(word),
  order_status: orNull(status),
  customer_name: orNull(word),
  kind: fc.constantFrom(...issueKinds),
  detail: word,
  open_amount: orNull(cents),
  refunded_amount: cents,
  balance: fc.record({
    currency: word,
    refundable: cents,
    refund_due: cents,
    missing: cents,
    unknown_amount: fc.boolean(),
  }),
  opened_at: moment,
  resolution: orNull(
    fc.record({ kind: fc.constantFrom(...resolutions), note: word, by: word, at: moment }),
  ),
};
const ledger = fc.record({
  received: signed,
  kept: cents,
  waived: cents,
  written_off: cents,
  refund_due: cents,
  refundable: cents,
  refunded: cents,
  missing: cents,
  unknown_amounts: fc.nat(),
  other_currencies: list(
    fc.record({
      currency: word,
      received: signed,
      refunded: cents,
      kept: cents,
      refundable: cents,
      refund_due: cents,
    }),
  ),
  entries: list(
    fc.record({
      kind: fc.constantFrom(...journalKinds),
      id: word,
      loan_id: orNull(word),
      amount: orNull(signed),
      currency: word,
      at: moment,
      by: word,
      reason: orNull(word),
      refund_id: orNull(word),
      issue_id: orNull(word),
      method: orNull(word),
      reference: orNull(word),
    }),
  ),
});
const item = { id: word, name: word, description: word, price: cents, image_url: word };

const delivery = {
  id: word,
  channel: word,
  target: word,
  type: word,
  subject: word,
  state: word,
  attempts: fc.nat(),
  answer: orNull(word),
  created_at: moment,
  next_at: orNull(moment),
  ended_at: orNull(moment),
};

const adminOrder = fc.record({
  ...order,
  ...personalData,
  billing_address: address,
  carrier: orNull(word),
  tracking_number: orNull(word),
  tracking_url: orNull(word),
  merchant_message: orNull(word),
  erased_at: orNull(moment),
  events: list(
    fc.record({
      kind: word,
      from: orNull(status),
      to: status,
      by: word,
      by_name: orNull(word),
      at: moment,
      reason: orNull(word),
      message: orNull(word),
      detail: orNull(word),
    }),
  ),
  notes: list(fc.record({ text: word, by_name: orNull(word), at: moment })),
  loans: list(
    fc.record({
      id: word,
      provider_status: word,
      state: word,
      bound_at: moment,
      amount: orNull(cents),
      currency: word,
      is_extension: fc.boolean(),
    }),
  ),
  payment_issues: list(fc.record(issue)),
  ledger,
  deliveries: list(fc.record(delivery)),
});
const subscribed = fc.record(
  { ...order, ...personalData, payment_attempt_failed: fc.boolean(), withheld: fc.boolean() },
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
  fc.record({
    kind: fc.constant("changed" as const),
    id: word,
    name: word,
    fields: list(changedField),
  }),
);

/** Each codec with decoded values: cents and milliseconds. */
const codecs: [name: string, check: () => void][] = [
  both("amountAsCents", amountAsCents, cents),
  both("signedAmountAsCents", signedAmountAsCents, signed),
  both("secondsAsMilliseconds", secondsAsMilliseconds, moment),
  both("itemsSchema", itemsSchema, list(fc.record(item))),
  both("placedOrderSchema", placedOrderSchema, fc.record({ ...order, key: word })),
  both(
    "streamMessageSchema",
    streamMessageSchema,
    fc.oneof(
      fc.record({ type: fc.constant("order" as const), data: subscribed }),
      fc.record({
        type: fc.constant("error" as const),
        data: fc.record({ kind: fc.constantFrom(...streamErrorKinds) }),
      }),
    ),
  ),
  both("adminOrderSchema", adminOrderSchema, adminOrder),
  both(
    "orderPageSchema",
    orderPageSchema,
    fc.record({
      orders: list(
        fc.record(
          {
            id: word,
            status,
            customer_name: word,
            customer_email: word,
            total_price: cents,
            created_at: moment,
            updated_at: moment,
          },
          {
            requiredKeys: [
              "id",
              "status",
              "customer_name",
              "customer_email",
              "total_price",
              "created_at",
            ],
          },
        ),
      ),
      next_cursor: orNull(word),
    }),
  ),
  both(
    "paymentIssuesSchema",
    paymentIssuesSchema,
    fc.record({
      payment_issues: list(fc.record(issue)),
      next_cursor: orNull(word),
    }),
  ),
  both(
    "adminItemsSchema",
    adminItemsSchema,
    fc.record({
      items: list(
        fc.record({
          ...item,
          image_urls: list(word),
          stock: orNull(fc.nat()),
          vat_rate: orNull(fc.nat({ max: 10_000 })),
          hidden: fc.boolean(),
          category: orNull(word),
          variant_of: orNull(word),
          variant_name: orNull(word),
        }),
      ),
    }),
  ),
  both(
    "itemImportSchema",
    itemImportSchema,
    fc.record({
      items: fc.uniqueArray(
        fc.record(
          {
            id: fc.stringMatching(/^[a-z0-9]{1,8}$/),
            price,
            hidden: fc.boolean(),
            name: fc.constant("Mug"),
          },
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
      added: fc.nat(),
      changed: fc.nat(),
      unchanged: fc.nat(),
      reordered: fc.boolean(),
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

test.each(codecs)("%s decodes its own encoding", (_name, check) => check());

test("on the wire amounts have at most two decimals, and times no fraction of a second", () => {
  expect(z.encode(amountAsCents, 1_250)).toBe(12.5);
  for (const wrong of [0.001, -1, Number.NaN, 0.1 + 0.2])
    expect(amountAsCents.safeParse(wrong).success, String(wrong)).toBe(false);
  expect(z.encode(secondsAsMilliseconds, 1_999)).toBe(1);
  expect(secondsAsMilliseconds.safeParse(1.5).success).toBe(false);
});
