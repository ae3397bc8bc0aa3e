import { expect, test } from "vitest";
import { priceOf, priceOfPlaced } from "./order-price.ts";

const lines = [
  { price: 1_999, quantity: 3 },
  { price: 5, quantity: 9_999 },
];

test("shipping is free: the total of an order is the sum of its lines", () => {
  expect(priceOf(lines)).toEqual({ subtotal: 55_992, shipping: 0, total: 55_992 });
  expect(priceOf([])).toEqual({ subtotal: 0, shipping: 0, total: 0 });
});

test("the shipping of a placed order is its total minus the sum of its lines", () => {
  expect(priceOfPlaced(lines, 55_992)).toEqual({ subtotal: 55_992, shipping: 0, total: 55_992 });
  expect(priceOfPlaced(lines, 56_482)).toEqual({ subtotal: 55_992, shipping: 490, total: 56_482 });
});
