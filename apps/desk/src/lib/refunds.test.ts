import { expect, test } from "vitest";
import * as z from "zod/mini";
import { refundShape, refundValues } from "./refunds.ts";

const schema = z.object(refundShape);

test("the first values of a refund are its amount", () => {
  expect(schema.parse(refundValues(123_450))).toEqual({
    amount: 123_450,
    method: "bank transfer",
  });
});

test.each([
  ["$12.50", 1_250],
  ["1,234.50", 123_450],
  [" 12 ", 1_200],
])("%j is an amount", (amount, cents) => {
  expect(schema.parse({ amount, method: "cash", reference: " 7 " })).toEqual({
    amount: cents,
    method: "cash",
    reference: "7",
  });
});

test.each(["", "0", "-1", "1.005", "12,5", "1e2", "NaN"])("%j is no amount", (amount) => {
  const { error } = schema.safeParse({ amount, method: "cash", reference: "" });
  expect(error?.issues).toMatchObject([
    { path: ["amount"], message: "Enter an amount such as 12.50" },
  ]);
});

test("a refund needs a method", () => {
  const { error } = schema.safeParse({ amount: "1", method: " ", reference: "" });
  expect(error?.issues).toMatchObject([{ path: ["method"] }]);
});
