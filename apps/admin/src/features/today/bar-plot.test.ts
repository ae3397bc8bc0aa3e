import { expect, test } from "vitest";
import { scaleMoneyText, scaleText, topOf, topOfMoney } from "./bar-plot.tsx";

test.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [10, 10],
  [11, 20],
  [22, 30],
  [41, 50],
  [100, 100],
  [1_000_001, 2_000_000],
])("a scale up to %i ends at %i", (highest, top) => {
  expect(topOf(highest)).toBe(top);
});

test("half of each scale is a whole number", () => {
  const halves = Array.from({ length: 2_000 }, (_, highest) => topOf(highest) / 2);
  expect(halves.filter((half) => !Number.isInteger(half))).toEqual([]);
  expect(topOf(1_999)).toBeGreaterThanOrEqual(1_999);
});

test("a scale of money ends at whole dollars above the highest amount", () => {
  expect(topOfMoney(1)).toBe(200);
  expect(topOfMoney(123_456)).toBe(200_000);
  expect(topOfMoney(200_001)).toBe(300_000);
});

test("the labels of a scale are short", () => {
  expect([scaleText(0), scaleText(40), scaleText(3_000)]).toEqual(["0", "40", "3K"]);
  expect([scaleMoneyText(0), scaleMoneyText(150_000), scaleMoneyText(4_000_000_000)]).toEqual([
    "$0",
    "$1.5K",
    "$40M",
  ]);
});
