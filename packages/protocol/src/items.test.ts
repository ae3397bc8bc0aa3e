import { expect, test } from "vitest";
import * as z from "zod/mini";
import { inStockOf, itemSchema } from "./items.ts";

test.each([
  [null, true],
  [0, false],
  [1, 1],
  [10, 10],
  [11, true],
])("with %s pieces left, in_stock is %s", (stock, inStock) => {
  expect(inStockOf(stock)).toBe(inStock);
});

test("an item in its specified form, without a stock, is accepted", () => {
  const item = {
    id: "mug",
    name: "Mug",
    description: "A mug.",
    price: 12.5,
    image_url: "/mug.svg",
  };
  expect(z.decode(itemSchema, item)).toEqual({ ...item, price: 1_250 });
  expect(z.decode(itemSchema, { ...item, in_stock: 3 }).in_stock).toBe(3);
  expect(itemSchema.safeParse({ ...item, in_stock: 0 }).success).toBe(false);
});
