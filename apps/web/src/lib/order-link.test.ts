import { expect, test } from "vitest";
import { orderLink, orderLinkIn, withOwnKey } from "./order-link.ts";

const ids = { orderId: "an-order", contractId: "a contract & more" };

test("both ids are query parameters, and the key is in the fragment", () => {
  expect(orderLink({ ...ids, key: "-k_1" })).toBe(
    "/order?orderId=an-order&contractId=a+contract+%26+more#key=-k_1",
  );
});

test.each([
  ["both ids and the key", { ...ids, key: "-k_1" }],
  ["both ids", { ...ids, key: undefined }],
  ["the order's id and the key", { orderId: "o", contractId: undefined, key: "k" }],
])("a link with %s is read as it was written", (_, link) => {
  expect(orderLinkIn(new URL(orderLink(link), "https://shop.example"))).toEqual(link);
});

test("a link without a key takes the one that the browser knows of this order", () => {
  const link = { orderId: "AN-ORDER", contractId: "c" };
  expect(withOwnKey(link, { id: "an-order", key: "own" })).toEqual({ ...link, key: "own" });
  expect(withOwnKey({ ...link, key: "other" }, { id: "an-order", key: "own" })?.key).toBe("other");
  expect(withOwnKey(link, { id: "another", key: "own" })?.key).toBeUndefined();
  expect(withOwnKey(link, { id: "an-order" })?.key).toBeUndefined();
  expect(withOwnKey(link, undefined)).toEqual(link);
  expect(withOwnKey(undefined, { id: "an-order", key: "own" })).toBeUndefined();
});

test("without a contract and without a key the link has neither of them", () => {
  expect(orderLink({ orderId: "o" })).toBe("/order?orderId=o");
});

test.each([
  ["", ""],
  ["?orderId=o", ""],
  ["?orderId=o", "#"],
  ["?orderId=o", "#key="],
  ["?orderId=o", "#keys=1"],
  ["?orderId=o&contractId=", "#main"],
  ["?contractId=c", "#key=k"],
  ["?orderId=o&key=k", ""],
])("the address /order%s%s is incomplete", (search, hash) => {
  expect(orderLinkIn({ search, hash })).toBeUndefined();
});
