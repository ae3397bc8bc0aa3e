import { expect, test } from "vitest";
import { itemIdOf } from "./item-id.ts";

test.each([
  ["Kaffee Nordwind", "kaffee-nordwind"],
  ["  Crème brûlée, 2 × 100 g ", "creme-brulee-2-100-g"],
  ["Größe", "grosse"],
  ["コーヒー", "item"],
  ["", "item"],
])("the name %j makes the id %s", (name, id) => {
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
