import { blankAddress } from "@keepsats/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { addressColumn, lineRowsOf, orderOf, rowOf } from "./order.ts";

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const address = fc.record({
  street: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
});
const cents = fc.nat({ max: 999_999_999_999 });
const order = fc.record({
  id: fc.uuid(),
  status: fc.constantFrom("Pending", "Shipped"),
  version: fc.nat(),
  payment_attempt_failed: fc.boolean(),
  customer_name: text,
  customer_email: text,
  shipping_address: address,
  billing_address: address,
  items: fc.array(fc.record({ id: text, name: text, price: cents, quantity: fc.nat() }), {
    maxLength: 4,
  }),
  total_price: cents,
  created_at: fc.nat(),
  carrier: fc.option(fc.string()),
  tracking_number: fc.option(fc.string()),
  tracking_url: fc.option(fc.webUrl()),
  merchant_message: fc.option(fc.string()),
  erased_at: fc.option(fc.nat()),
  client_hash: fc.constant(null),
});

test("an order is unchanged after conversion to rows and back", () => {
  fc.assert(
    fc.property(order, (value) => {
      const number = "K-10023";
      const row = { ...rowOf(value), number, position: 1, paid_at: null };
      expect(orderOf(row, lineRowsOf(value, new Set()))).toEqual({ ...value, number });
    }),
  );
});

test("an address that was stored with other fields is read with the known ones", () => {
  const stored = '{"street":"1 Old Road","district":"Soho"}';
  expect(z.decode(addressColumn, stored)).toEqual({ ...blankAddress(), street: "1 Old Road" });
});
