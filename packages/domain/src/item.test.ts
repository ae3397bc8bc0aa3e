import { expect, test } from "vitest";
import { isPrice, itemIdOf, itemTitle, MAX_PRICE } from "./item.ts";
import { centsFromAmount } from "./money.ts";

test.each([
  ["Kaffee Nordwind", "kaffee-nordwind"],
  ["  Crème brûlée, 2 × 100 g ", "creme-brulee-2-100-g"],
  ["Größe", "grosse"],
  ["コーヒー", "item"],
  ["", "item"],
])("the id of an item with the name %j is %s", (name, id) => {
  expect(itemIdOf(name, () => false)).toBe(id);
});

test("a taken id gets a number", () => {
  expect(itemIdOf("Tin Cup", (id) => id === "tin-cup")).toBe("tin-cup-2");
  expect(itemIdOf("Tin Cup", (id) => id !== "tin-cup-3")).toBe("tin-cup-3");
});

test("the id of a long name, with its number, stays within 100 characters", () => {
  const id = itemIdOf("ab ".repeat(70), () => false);
  expect(itemIdOf("ab ".repeat(70), (taken) => taken === id)).toHaveLength(id.length + 2);
  expect(id.length).toBeLessThanOrEqual(80);
});

test("an item costs between a cent and a million dollars", () => {
  expect(MAX_PRICE).toBe(centsFromAmount(1_000_000));
  expect([-1, 0, 1, MAX_PRICE, MAX_PRICE + 1].map(isPrice)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});

test("the title of a variant has its name among the variants", () => {
  expect(itemTitle({ name: "Shirt", variant_name: "Small, blue" })).toBe("Shirt – Small, blue");
  expect(itemTitle({ name: "Shirt", variant_name: null })).toBe("Shirt");
});
