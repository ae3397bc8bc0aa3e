import type { Item } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { productsOf } from "./products.ts";

const anItem = (id: string, changes: Partial<Item> = {}): Item => ({
  id,
  name: id,
  description: "",
  price: 1_000,
  image_url: "/p.svg",
  ...changes,
});
const shirt = anItem("shirt", { variant_name: "Small", price: 2_000 });
const large = anItem("shirt-l", { variant_of: "shirt", variant_name: "Large", price: 1_800 });

test("items without variants stay as they are", () => {
  const items = [anItem("mug"), anItem("pot")];
  expect(productsOf(items)).toBe(items);
});

test("variants are one product, at the place of the item that represents them, with the lowest price", () => {
  const mug = anItem("mug");
  const [first, second, ...others] = productsOf([large, mug, shirt]);
  expect(first).toBe(mug);
  expect(second).toMatchObject({ id: "shirt", price: 1_800, variants: [large, shirt] });
  expect(others).toEqual([]);
});

test("a group is sold out once all its variants are", () => {
  const soldOut = { in_stock: false };
  expect(productsOf([{ ...shirt, ...soldOut }, large])[0]?.in_stock).toBe(true);
  expect(
    productsOf([
      { ...shirt, ...soldOut },
      { ...large, ...soldOut },
    ])[0]?.in_stock,
  ).toBe(false);
});
