import { expect, test } from "vitest";
import { refundText } from "./refund.ts";

test("a refund is told in words", () => {
  expect(refundText({ cents: 1_250, method: "cash" })).toBe("$12.50 by cash");
  expect(refundText({ cents: 1_250, method: "cash", reference: "7" })).toBe(
    "$12.50 by cash, reference 7",
  );
  expect(refundText({ cents: 1_250, currency: "EUR", method: "cash" })).toBe("12.50 EUR by cash");
});
