import type { Cart } from "@keepsats/domain";
import { expect, test } from "vitest";
import { blankDraft, type Draft, orderRequestFor } from "./order-request.ts";

const cart: Cart = [{ id: "mug", name: "Mug", price: 1_850, quantity: 2 }];
const home = { street: "1 Road", city: "Town", state: "S", postal_code: "1", country: "Land" };
const typed: Draft = {
  ...blankDraft(),
  customer_name: "Ada",
  customer_email: "a@b.c",
  shipping_address: home,
};

test("the payload has the specified fields, and one address as both while they are the same", () => {
  const draft = { ...typed, billing_address: { ...home, city: "Old" } };
  const { body } = orderRequestFor({ draft, cart, total: 3_700 }, undefined, () => "k");
  expect(JSON.parse(body)).toEqual({
    items: [{ item_id: "mug", quantity: 2 }],
    customer_name: "Ada",
    customer_email: "a@b.c",
    shipping_address: home,
    billing_address: home,
  });
});

test("another billing address is sent as typed", () => {
  const other = { ...home, city: "Paris" };
  const draft = { ...typed, sameBilling: false, billing_address: other };
  const { body } = orderRequestFor({ draft, cart, total: 3_700 }, undefined, () => "k");
  expect(JSON.parse(body).billing_address).toEqual(other);
});

test("the same payload keeps the key of the last request, and another payload gets a new key", () => {
  const first = orderRequestFor({ draft: typed, cart, total: 3_700 }, undefined, () => "first");
  const key = (draft: Draft, lines: Cart) =>
    orderRequestFor({ draft, cart: lines, total: 3_700 }, first, () => "new").key;
  expect(key({ ...typed }, [...cart])).toBe("first");
  expect(key({ ...typed, customer_name: "Bob" }, cart)).toBe("new");
  expect(key(typed, [])).toBe("new");
  const again = { draft: typed, cart, total: 3_700 };
  expect(orderRequestFor(again, undefined, () => "after it was placed").key).toBe(
    "after it was placed",
  );
});

test("the headers have the prices that the customer saw; other prices of the same order keep its key", () => {
  const lines = [...cart, { id: "pot", name: "Pot", price: 4_500, quantity: 1 }];
  const first = orderRequestFor(
    { draft: typed, cart: lines, total: 8_200 },
    undefined,
    () => "first",
  );
  expect(first.headers).toEqual({
    "idempotency-key": "first",
    "expected-total": "82.00",
    "expected-prices": "18.50,45.00",
  });
  const dearer = lines.map((line) => ({ ...line, price: 5_000 }));
  const second = orderRequestFor(
    { draft: typed, cart: dearer, total: 15_000 },
    first,
    () => "second",
  );
  expect(second.headers).toEqual({
    "idempotency-key": "first",
    "expected-total": "150.00",
    "expected-prices": "50.00,50.00",
  });
});
