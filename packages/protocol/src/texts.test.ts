import { expect, test } from "vitest";
import * as z from "zod/mini";
import { createOrderSchema } from "./place-order.ts";
import { lines, printable } from "./texts.ts";

test("what disguises a text of one line is removed before it is measured", () => {
  expect(z.parse(printable(3), "\u202e \u200bM\u2066ug\u2069\ufeff ")).toBe("Mug");
});

test.each(["", " ", "\u200b\u202e", "Mugs", "M\ng", "M\u0007"])(
  "%j is no text of one line of up to 3",
  (text) => {
    expect(printable(3).safeParse(text).success).toBe(false);
  },
);

test("a text of several lines keeps the direction of its parts", () => {
  const text = "Tea\n\u2067שלום\u2069";
  expect(z.parse(lines(100), text)).toBe(text);
});

test("an order has the name and the address without what disguises them", () => {
  const hidden = "\u202a Ada\u202e L.\u202c";
  const address = {
    street: hidden,
    city: hidden,
    state: hidden,
    postal_code: hidden,
    country: hidden,
  };
  const order = createOrderSchema.parse({
    items: [{ item_id: "mug", quantity: 1 }],
    customer_name: hidden,
    customer_email: "\u202aada@mail.example\u202c",
    shipping_address: address,
    billing_address: address,
  });
  expect(JSON.stringify(order)).not.toMatch(/[\u202a-\u202e]/);
  expect(order).toMatchObject({ customer_name: "Ada L.", customer_email: "ada@mail.example" });
});
