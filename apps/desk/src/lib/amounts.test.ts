import { expect, test } from "vitest";
import { amountText } from "./amounts.ts";

test.each([
  [123_450, "USD", "$1,234.50"],
  [-1_200, "USD", "−$12.00"],
  [123_450, "Eur", "1,234.50 Eur"],
  [-1_200, "Eur", "−12.00 Eur"],
  [null, "Eur", "unknown"],
])("%j hundredths of %s are %j", (cents, currency, text) => {
  expect(amountText(cents, currency)).toBe(text);
});
