import { expect, test } from "vitest";
import { shortOrderId } from "./order-id.ts";

test("the short form of an order's id is its first 8 characters", () => {
  expect(shortOrderId("0123abcd-0000-4000-8000-000000000001")).toBe("0123abcd");
});
