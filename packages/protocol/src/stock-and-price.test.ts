import { MAX_LINES, MAX_PRICE, MAX_QUANTITY } from "@keepsats/domain";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { inStockOf, itemSchema } from "./items.ts";
import { expectedPricesSchema, expectedTotalSchema } from "./place-order.ts";
import { problemSchema } from "./problem.ts";

test.each([
  [null, true],
  [0, false],
  [1, 1],
  [10, 10],
  [11, true],
])("of %s pieces a shopper is told %s", (stock, told) => {
  expect(inStockOf(stock)).toBe(told);
});

test("an item in its specified form, without a stock, is read", () => {
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

test("headers with what the shopper saw are amounts", () => {
  expect(z.decode(expectedTotalSchema, "12.5")).toBe(1_250);
  expect(z.encode(expectedTotalSchema, 1_250)).toBe("12.50");
  expect(z.decode(expectedPricesSchema, "12.50, 45,0.01")).toEqual([1_250, 4_500, 1]);
  expect(z.encode(expectedPricesSchema, [1_250, 4_500])).toBe("12.50,45.00");
  for (const wrong of [
    "",
    "$12.50",
    "12,50.1",
    "1.234",
    "-1",
    "1e3",
    " 1",
    "12.50 ",
    "NaN",
    "1".repeat(13),
  ])
    expect(expectedTotalSchema.safeParse(wrong).success, wrong).toBe(false);
  for (const wrong of ["", "1,", ",1", "1,,2", "1;2"])
    expect(expectedPricesSchema.safeParse(wrong).success, wrong).toBe(false);
});

test("the highest total that an order can have is an expected total", () => {
  const highest = MAX_LINES * MAX_QUANTITY * MAX_PRICE;
  expect(z.decode(expectedTotalSchema, z.encode(expectedTotalSchema, highest))).toBe(highest);
});

test("a changed price is amounts on the wire, and cents once decoded", () => {
  const problem = {
    title: "The order costs something else now",
    status: 409,
    code: "price_changed",
    expected_total: 12.5,
    total: 0,
    lines: [{ item_id: "mug", quantity: 1, available: 0, expected_price: 12.5, price: null }],
  } as const;
  const read = z.decode(problemSchema, { ...problem, lines: [...problem.lines] });
  expect(read).toMatchObject({ expected_total: 1_250, total: 0 });
  expect(read.lines).toEqual([
    { item_id: "mug", quantity: 1, available: 0, expected_price: 1_250, price: null },
  ]);
  expect(z.encode(problemSchema, read)).toEqual(problem);
});
