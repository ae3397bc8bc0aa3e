import { expect, test } from "vitest";
import { fewerLeft, shortageOf } from "./shortage.ts";

const line = { id: "mug", name: "Mug", price: 1_850, quantity: 3 };
const stock = (left: boolean | number) => new Map([["mug", left]]);

test.each([
  [true, undefined],
  [3, undefined],
  [10, undefined],
  [2, "Only 2 left"],
  [false, "Sold out"],
] as const)("when the stock is %s, a line of three pieces says %s", (left, said) => {
  expect(shortageOf(line, stock(left))).toBe(said);
});

test("an item that the shop does not list any more is no longer available; until the list is loaded nothing is said", () => {
  expect(shortageOf(line, new Map())).toBe("No longer available");
  expect(shortageOf(line, undefined)).toBeUndefined();
});

test("a line can be set to what is left only if that is fewer than it has, and not none", () => {
  expect(fewerLeft(line, stock(2))).toBe(2);
  for (const enough of [3, 10, true]) expect(fewerLeft(line, stock(enough))).toBeUndefined();
  expect(fewerLeft(line, stock(false))).toBeUndefined();
  expect(fewerLeft(line, new Map())).toBeUndefined();
  expect(fewerLeft(line, undefined)).toBeUndefined();
});
