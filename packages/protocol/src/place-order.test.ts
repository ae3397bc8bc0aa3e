import { MAX_LINES, MAX_PRICE, MAX_QUANTITY } from "@keepsats/domain";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import {
  expectedPricesSchema,
  expectedTotalSchema,
  placeOrderRequestSchema,
} from "./place-order.ts";
import { problemSchema } from "./problem.ts";

test("invisible characters are removed from the name, the email address and the addresses of an order", () => {
  const hidden = "\u202a Ada\u202e L.\u202c";
  const address = {
    street: hidden,
    city: hidden,
    state: hidden,
    postal_code: hidden,
    country: hidden,
  };
  const order = placeOrderRequestSchema.parse({
    items: [{ item_id: "mug", quantity: 1 }],
    customer_name: hidden,
    customer_email: "\u202aada@mail.example\u202c",
    shipping_address: address,
    billing_address: address,
  });
  expect(JSON.stringify(order)).not.toMatch(/[\u202a-\u202e]/);
  expect(order).toMatchObject({ customer_name: "Ada L.", customer_email: "ada@mail.example" });
});

test("Expected-Total and Expected-Prices are amounts on the wire, and cents once decoded", () => {
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

test("the highest possible total of an order is a valid Expected-Total", () => {
  const highest = MAX_LINES * MAX_QUANTITY * MAX_PRICE;
  expect(z.decode(expectedTotalSchema, z.encode(expectedTotalSchema, highest))).toBe(highest);
});

test("the problem price_changed has amounts on the wire, and cents once decoded", () => {
  const problem = {
    title: "The prices have changed",
    status: 409,
    code: "price_changed",
    expected_total: 12.5,
    total: 0,
    lines: [{ item_id: "mug", quantity: 1, available: 0, expected_price: 12.5, price: null }],
  } as const;
  const decoded = z.decode(problemSchema, { ...problem, lines: [...problem.lines] });
  expect(decoded).toMatchObject({ expected_total: 1_250, total: 0 });
  expect(decoded.lines).toEqual([
    { item_id: "mug", quantity: 1, available: 0, expected_price: 1_250, price: null },
  ]);
  expect(z.encode(problemSchema, decoded)).toEqual(problem);
});
