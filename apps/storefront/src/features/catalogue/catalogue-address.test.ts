import { expect, test } from "vitest";
import { itemIn, MAX_QUERY, searchIn, shopAddress } from "./catalogue-address.ts";

test("opening and closing an item keep the search", () => {
  const opened = shopAddress("?q=pot&sort=name", { item: "a&b=c d" }).slice(1);
  expect(itemIn(opened)).toBe("a&b=c d");
  expect(shopAddress(opened, { item: "" })).toBe("/?q=pot&sort=name");
  expect(shopAddress("?item=mug", { item: "" })).toBe("/");
});

test("a search is in the URL, and an empty one is removed", () => {
  const searched = shopAddress("?item=mug", { q: "a b&c", sort: "name" }).slice(1);
  expect(searchIn(searched)).toEqual({ text: "a b&c", sort: "name" });
  expect(shopAddress(searched, { q: "", sort: "" })).toBe("/?item=mug");
  expect(shopAddress("?q=x", { q: "", sort: "" })).toBe("/");
  expect(searchIn(`?q=${"x".repeat(5_000)}`).text).toHaveLength(MAX_QUERY);
});
