import type { Basket } from "@keepsats/domain";
import { expect, test } from "vitest";
import { blankDraft, type Draft } from "./draft.ts";
import { createOrderAttempts } from "./order-attempts.ts";

const basket: Basket = [{ id: "mug", name: "Mug", price: 1_850, quantity: 2 }];
const home = { street: "1 Road", city: "Town", state: "S", postal_code: "1", country: "Land" };
const typed: Draft = {
  ...blankDraft(),
  customer_name: "Ada",
  customer_email: "a@b.c",
  shipping_address: home,
};

function attempts() {
  let keys = 0;
  return createOrderAttempts(() => {
    keys += 1;
    return `key-${keys}`;
  });
}

test("the payload is the specification's, with the shipping address as billing address while they are the same", () => {
  const { body } = attempts().attemptFor({ ...typed, billing_address: { ...home, city: "Old" } }, basket);
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
  const { body } = attempts().attemptFor({ ...typed, sameBilling: false, billing_address: other }, basket);
  expect(JSON.parse(body).billing_address).toEqual(other);
});

test("the same payload keeps its key until its order is placed, another payload has another", () => {
  const { attemptFor, forget } = attempts();
  expect(attemptFor(typed, basket).key).toBe("key-1");
  expect(attemptFor({ ...typed }, [...basket]).key).toBe("key-1");
  expect(attemptFor({ ...typed, customer_name: "Bob" }, basket).key).toBe("key-2");
  expect(attemptFor(typed, []).key).toBe("key-3");
  forget();
  expect(attemptFor(typed, []).key).toBe("key-4");
});
