import { expect, test } from "vitest";
import { isItemsKey, keysAt, ordersKeys } from "./screen-keys.ts";

const textsAt = (pathname: string) =>
  keysAt(pathname).flatMap(({ keys }) => keys.map(({ text }) => text));

test("the list has every key that the table of orders handles", () => {
  expect(textsAt("/orders")).toEqual(expect.arrayContaining(ordersKeys.map(({ text }) => text)));
});

test("a screen without its own keys lists those of all screens", () => {
  expect(keysAt("/payments").map(({ title }) => title)).toEqual(["All screens"]);
  expect(keysAt("/orders/1").map(({ title }) => title)).toEqual(["All screens"]);
  expect(keysAt("/items").map(({ title }) => title)).toEqual(["Items", "All screens"]);
});

test("a modifier stands before its key", () => {
  expect(keysAt("/payments")[0]?.keys[0]?.keys).toEqual(["Ctrl", "k"]);
});

test("a key of the items does not start an edit, and other characters do", () => {
  expect(["/", "?", "k", "5"].map(isItemsKey)).toEqual([true, true, false, false]);
});
