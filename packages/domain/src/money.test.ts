import fc from "fast-check";
import { expect, test } from "vitest";
import {
  amountFromCents,
  centsCoveredBy,
  centsFromAmount,
  decimalFromCents,
  formatGroupedMoney,
  formatMoney,
  refundText,
  shopCurrency,
} from "./money.ts";

const cents = fc.integer({ min: 0, max: 100_000_000_000_000 });

test("cents are unchanged by the conversion to dollars and back, as a number and as a text", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(centsFromAmount(amountFromCents(amount))).toBe(amount);
      expect(centsFromAmount(decimalFromCents(amount))).toBe(amount);
      expect(centsCoveredBy(`${decimalFromCents(amount)}999`)).toBe(amount);
    }),
  );
});

test.each([
  [0, 0],
  [12.5, 1_250],
  [0.07, 7],
  [1.1, 110],
  ["12.50", 1_250],
  ["12.500000", 1_250],
  [" 7 ", 700],
])("%j dollars are %i cents", (dollars, amount) => {
  expect(centsFromAmount(dollars)).toBe(amount);
});

test.each([
  0.1 + 0.2,
  1.005,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e21,
  "",
  "1,5",
  "1e3",
  "0x10",
  "-1",
  "1.",
  ".5",
  "12.345",
])("%j is not an amount in whole cents", (dollars) => {
  expect(centsFromAmount(dollars)).toBeUndefined();
});

test.each([
  ["44.999999", 4_499],
  [45.005, 4_500],
  ["abc", undefined],
])("%j dollars cover %s cents, rounded down", (dollars, amount) => {
  expect(centsCoveredBy(dollars)).toBe(amount);
});

test.each([
  [0, "$0.00"],
  [7, "$0.07"],
  [1_250, "$12.50"],
  [99_999_999, "$999999.99"],
])("%i cents are shown as %s", (amount, text) => {
  expect(formatMoney(amount)).toBe(text);
});

test.each([
  [-1_250, "-12.50"],
  [-7, "-0.07"],
  [1_250, "12.50"],
])("%i cents are written as %s without a symbol", (amount, text) => {
  expect(decimalFromCents(amount)).toBe(text);
});

test("an amount has at most 13 digits before the point, so that its cents are exact", () => {
  expect(centsFromAmount("9999999999999.99")).toBe(999_999_999_999_999);
  expect(centsFromAmount("10000000000000")).toBeUndefined();
  expect(centsFromAmount("x1")).toBeUndefined();
  expect(centsFromAmount("1x")).toBeUndefined();
});

test.each([
  [0, "$0.00"],
  [99_999, "$999.99"],
  [123_456, "$1,234.56"],
  [123_456_789_00, "$123,456,789.00"],
  [-123_456, "$-1,234.56"],
])("%i cents are shown to staff as %s", (cents, text) => {
  expect(formatGroupedMoney(cents)).toBe(text);
});

test.each([
  ["USD", "$12.50"],
  ["EUR", "12.50 EUR"],
  ["Gbp", "12.50 GBP"],
  ["Pounds", "12.50 Pounds"],
])("an amount in %s is shown as %s", (currency, text) => {
  expect(formatMoney(1_250, currency)).toBe(text);
});

test("the shop's currency is US dollars", () => {
  expect(shopCurrency).toEqual({ code: "USD", symbol: "$", plural: "dollars", singular: "dollar" });
});

test("a refund is described with its amount, method and reference", () => {
  expect(refundText({ cents: 1_250, method: "cash" })).toBe("$12.50 by cash");
  expect(refundText({ cents: 1_250, method: "cash", reference: "7" })).toBe(
    "$12.50 by cash, reference 7",
  );
  expect(refundText({ cents: 1_250, currency: "EUR", method: "cash" })).toBe("12.50 EUR by cash");
});
