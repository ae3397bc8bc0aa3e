import type { Basket } from "@keepsats/domain";
import { expect, test } from "vitest";
import { blankDraft, type Draft } from "./draft.ts";
import { orderRequestFor } from "./order-request.ts";

const basket: Basket = [{ id: "mug", name: "Mug", price: 1_850, quantity: 2 }];
const home = { street: "1 Road", city: "Town", state: "S", postal_code: "1", country: "Land" };
const typed: Draft = {
  ...blankDraft(),
  customer_name: "Ada",
  customer_email: "a@b.c",
  shipping_address: home,
};

test("the payload has the specified fields, and the shipping address as billing address while they are the same", () => {
  const draft = { ...typed, billing_address: { ...home, city: "Old" } };
  const { body } = orderRequestFor({ draft, basket }, undefined, () => "k");
  expect(JSON.parse(body)).toEqual({
    items: [{ item_id: "mug", quantity: 2 }],
    customer_name: "Ada",
    customer_email: "a@b.c",
    shipping_address: home,
    billing_address: home,
  });
});

test("another billing address is sent as it was typed", () => {
  const other = { ...home, city: "Paris" };
  const draft = { ...typed, sameBilling: false, billing_address: other };
  const { body } = orderRequestFor({ draft, basket }, undefined, () => "k");
  expect(JSON.parse(body).billing_address).toEqual(other);
});

test("the same payload keeps the key of the last request, another payload gets a new key", () => {
  const first = orderRequestFor({ draft: typed, basket }, undefined, () => "first");
  const key = (draft: Draft, lines: Basket) =>
    orderRequestFor({ draft, basket: lines }, first, () => "new").key;
  expect(key({ ...typed }, [...basket])).toBe("first");
  expect(key({ ...typed, customer_name: "Bob" }, basket)).toBe("new");
  expect(key(typed, [])).toBe("new");
  expect(orderRequestFor({ draft: typed, basket }, undefined, () => "after it was placed").key).toBe(
    "after it was placed",
  );
});
