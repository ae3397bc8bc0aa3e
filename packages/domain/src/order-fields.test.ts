import { expect, test } from "vitest";
import { blankAddress, shortOrderId } from "./order-fields.ts";

test("a blank address has every field, empty", () => {
  expect(blankAddress()).toEqual({ street: "", city: "", state: "", postal_code: "", country: "" });
});

test("the short form of an order's id is its first 8 characters", () => {
  expect(shortOrderId("0123abcd-0000-4000-8000-000000000001")).toBe("0123abcd");
});
