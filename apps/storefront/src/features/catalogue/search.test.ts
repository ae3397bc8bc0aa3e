import type { Item } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { createSearch, sorted } from "./search.ts";

const item = (name: string, description: string, price = 100): Item => ({
  id: name,
  name,
  description,
  price,
  image_url: "/p.svg",
});
const items = [
  item("Moka Pot", "Coffee for three, 6-cup.", 4_500),
  item("Café Crème Bowl", "Glazed by hand.", 1_200),
  item("Ångström 10 Teapot", "STRASSE, Straße; l'été", 4_500),
  item("Angstrom 9 Teapot", "", 900),
];
const search = createSearch(items);
const names = (found: readonly Item[]) => found.map(({ name }) => name);

test.each([
  ["mok", ["Moka Pot"]],
  ["POT mo", ["Moka Pot"]],
  ["cafe", ["Café Crème Bowl"]],
  ["CRÈME café", ["Café Crème Bowl"]],
  ["cre\u0301me", ["Café Crème Bowl"]],
  ["cre\u0300me", ["Café Crème Bowl"]],
  ["ang tea", ["Ångström 10 Teapot", "Angstrom 9 Teapot"]],
  ["glazed-by", ["Café Crème Bowl"]],
  ["strasse", ["Ångström 10 Teapot"]],
  ["ete", ["Ångström 10 Teapot"]],
  ["6", ["Moka Pot"]],
  ["offee", []],
  ["pot bowl", []],
  ["(.*", names(items)],
  ["  ", names(items)],
])("%j finds %j", (query, found) => {
  expect(names(search(query))).toEqual(found);
});

test("products are sorted by price and by name; equal prices stay in the order of the merchant", () => {
  expect(sorted(items, "shop")).toBe(items);
  expect(names(sorted(items, "price-up"))).toEqual([
    "Angstrom 9 Teapot",
    "Café Crème Bowl",
    "Moka Pot",
    "Ångström 10 Teapot",
  ]);
  expect(names(sorted(items, "price-down")).slice(0, 2)).toEqual([
    "Moka Pot",
    "Ångström 10 Teapot",
  ]);
  expect(names(sorted(items, "name"))).toEqual([
    "Angstrom 9 Teapot",
    "Ångström 10 Teapot",
    "Café Crème Bowl",
    "Moka Pot",
  ]);
});
