import { expect, test } from "vitest";
import { addressText, ago, amountText, openLoansText, withDecimalPoint } from "./format.ts";

test.each([
  [123_450, "USD", "$1,234.50"],
  [-1_200, "USD", "−$12.00"],
  [123_450, "Eur", "1,234.50 EUR"],
  [-1_200, "Eur", "−12.00 EUR"],
  [null, "Eur", "unknown"],
])("%j cents of %s are %j", (cents, currency, text) => {
  expect(amountText(cents, currency)).toBe(text);
});

test.each([
  ["12,50", "12.50"],
  [" 19,0 ", "19.0"],
  ["12.50", "12.50"],
  ["12,500", "12,500"],
])("%j is parsed as %j", (typed, number) => {
  expect(withDecimalPoint(typed)).toBe(number);
});

test.each([
  [-5_000, "a moment ago"],
  [59_999, "a moment ago"],
  [60_000, "1 minute ago"],
  [59 * 60_000, "59 minutes ago"],
  [60 * 60_000, "1 hour ago"],
  [25 * 3_600_000, "1 day ago"],
  [72 * 3_600_000, "3 days ago"],
])("%i ms are %s", (passed, text) => {
  expect(ago(1_000_000, 1_000_000 + passed)).toBe(text);
});

test("an address is copied as it stands on an envelope", () => {
  const shipping_address = {
    street: "12 St James's Square",
    city: "London",
    state: "Greater London",
    postal_code: "SW1Y 4LB",
    country: "United Kingdom",
  };
  expect(addressText({ customer_name: "Ada Lovelace", shipping_address })).toBe(
    "Ada Lovelace\n12 St James's Square\nLondon, Greater London SW1Y 4LB\nUnited Kingdom",
  );
});

test("after the cancellation the active loans are counted", () => {
  expect(openLoansText([])).toBe("");
  expect(openLoansText([{}, {}])).toMatch(/^2 loans may still be paid out\./);
});
