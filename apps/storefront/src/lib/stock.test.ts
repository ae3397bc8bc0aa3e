import { expect, test } from "vitest";
import { fewerLeft, shortageOf } from "./stock.ts";

const line = { id: "mug", name: "Mug", price: 1_850, quantity: 3 };
const stock = (left: boolean | number) => new Map([["mug", left]]);

test.each([
  [true, undefined],
  [3, undefined],
  [10, undefined],
  [2, "Only 2 left"],
  [false, "Sold out"],
] as const)("with the stock %s, the shortage of a line of three pieces is %s", (left, shortage) => {
  expect(shortageOf(line, stock(left))).toBe(shortage);
});

test("an item that is not listed is no longer available; there is no shortage until the list is loaded", () => {
  expect(shortageOf(line, new Map())).toBe("No longer available");
  expect(shortageOf(line, undefined)).toBeUndefined();
});

test("a line can be set to the pieces that are left only if they are fewer than it has, but not none", () => {
  expect(fewerLeft(line, stock(2))).toBe(2);
  for (const enough of [3, 10, true]) expect(fewerLeft(line, stock(enough))).toBeUndefined();
  expect(fewerLeft(line, stock(false))).toBeUndefined();
  expect(fewerLeft(line, new Map())).toBeUndefined();
  expect(fewerLeft(line, undefined)).toBeUndefined();
});
