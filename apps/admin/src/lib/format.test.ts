import { expect, test } from "vitest";
import { ago, amountText } from "./format.ts";

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
