import { MAX_PRICE } from "@keepsats/domain";
import { expect, test } from "vitest";
import { parsePercent, priceAfter } from "./percent.ts";

test.each([
  ["10", 1_000],
  ["+2,25", 225],
  ["-12.5 %", -1_250],
  ["−0.1%", -10],
  [" 0 ", 0],
])("%j is a percentage", (text, hundredths) => {
  expect(Math.abs(parsePercent(text) ?? Number.NaN)).toBe(Math.abs(hundredths));
  expect(Math.sign(parsePercent(text) ?? Number.NaN)).toBe(Math.sign(hundredths));
});

test.each(["", "%", "ten", "NaN", "Infinity", "1e3", "--5", "1.234", "123456", "0x10", "5 5"])(
  "%j is not a percentage",
  (text) => {
    expect(parsePercent(text)).toBeUndefined();
  },
);

test.each([
  ["is rounded to the cent", 1_999, 1_000, 2_199],
  ["with half a cent is rounded up", 50, 100, 51],
  ["with half a cent is rounded up when it falls", 50, -100, 50],
  ["is exact where floating point is not", 105, 1_000, 116],
  ["can be the maximum", MAX_PRICE / 2, 10_000, MAX_PRICE],
  ["can be a cent", 100, -9_900, 1],
])("a changed price %s", (_, price, percent, expected) => {
  expect(priceAfter(price, percent)).toBe(expected);
});

test.each([
  ["above the maximum", MAX_PRICE, 1],
  ["of 0", 100, -10_000],
  ["that rounds to 0", 1, -6_000],
  ["below 0", 100, -20_000],
])("a price %s is refused", (_, price, percent) => {
  expect(priceAfter(price, percent)).toBeUndefined();
});
