import { expect, test } from "vitest";
import { MAX_QUERY, searchIn, withItem, withoutItem, withSearch } from "./catalogue-address.ts";

test("opening an item keeps the search, and closing it leaves the search alone", () => {
  const query = new URLSearchParams("q=pot&sort=name");
  const opened = withItem(query, "a&b=c d");
  expect(new URLSearchParams(opened).get("item")).toBe("a&b=c d");
  expect(withoutItem(new URLSearchParams(opened))).toBe("?q=pot&sort=name");
  expect(withoutItem(new URLSearchParams("item=mug"))).toBe("");
});

test("a search is in the address, and an empty one leaves nothing there", () => {
  const searched = withSearch(new URLSearchParams("item=mug"), { text: "a b&c", sort: "name" });
  expect(searchIn(new URLSearchParams(searched))).toEqual({ text: "a b&c", sort: "name" });
  expect(withSearch(new URLSearchParams(searched), { text: "", sort: "" })).toBe("?item=mug");
  expect(withSearch(new URLSearchParams("q=x"), { text: "", sort: "" })).toBe("");
  expect(searchIn(new URLSearchParams(`q=${"x".repeat(5_000)}`)).text).toHaveLength(MAX_QUERY);
});
