import { expect, test } from "vitest";
import { aStoredItem } from "../../../../../test/harness/builders.ts";
import { representatives, variantErrors } from "./item-variants.ts";

const items = new Map(
  [
    aStoredItem({ id: "shirt" }),
    aStoredItem({ id: "shirt-l", variant_of: "shirt" }),
    aStoredItem({ id: "mug" }),
  ].map((item) => [item.id, item]),
);
const hasVariants = (id: string) => [...items.values()].some(({ variant_of }) => variant_of === id);

test.each([
  ["mug", "shirt", undefined],
  ["mug", null, undefined],
  ["mug", "mug", "must not be the item itself"],
  ["mug", "none", "is not the id of an item"],
  ["mug", "shirt-l", 'is itself a variant of "shirt"'],
  ["shirt", "mug", "must be empty, because the item has variants"],
])("%s as a variant of %s: %s", (id, variant_of, message) => {
  const facts = { main: items.get(variant_of ?? ""), hasVariants: hasVariants(id) };
  const errors = variantErrors({ id, variant_of }, items.get(id), facts);
  expect(errors).toEqual(message === undefined ? [] : [{ path: "variant_of", message }]);
});

test("a variant whose main item is gone can be edited", () => {
  const orphan = { id: "orphan", variant_of: "none" };
  const facts = { main: undefined, hasVariants: false };
  expect(variantErrors(orphan, orphan, facts)).toEqual([]);
});

test("the main item represents its group, or else the first shown variant", () => {
  const main = aStoredItem({ id: "main" });
  const [small, large] = [
    aStoredItem({ id: "small", variant_of: "main" }),
    aStoredItem({ id: "large", variant_of: "main" }),
  ];
  expect(representatives([small, main, large]).get("main")).toBe("main");
  expect(representatives([small, large]).get("main")).toBe("small");
});
