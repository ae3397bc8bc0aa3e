import { expect, test } from "vitest";
import { mug } from "../features/items/mug.test-data.ts";
import { isFound } from "./items.ts";

const shirt = { ...mug, id: "shirt-s", name: "Espresso T-Shirt", variant_name: "Small, blue" };

test.each([
  [" t-shirt", true],
  ["SHIRT-S", true],
  ["small", true],
  ["shirt – small", true],
  ["large", false],
])("the search for %j finds a variant by its title or its id: %s", (text, expected) => {
  expect(isFound(shirt, text)).toBe(expected);
});
