import { expect, test } from "vitest";
import { orderLink, orderLinkIn, withSavedKey } from "./order-link.ts";

const ids = { orderId: "an-order", loanId: "a loan & more" };

test("both ids are query parameters, and the key is in the fragment", () => {
  expect(orderLink({ ...ids, key: "-k_1" })).toBe(
    "/order?orderId=an-order&contractId=a+loan+%26+more#key=-k_1",
  );
});

test.each([
  ["both ids and the key", { ...ids, key: "-k_1" }],
  ["both ids", { ...ids, key: undefined }],
  ["the order's id and the key", { orderId: "o", loanId: undefined, key: "k" }],
])("a link with %s is parsed to the same parameters", (_, link) => {
  expect(orderLinkIn(new URL(orderLink(link), "https://shop.example"))).toEqual(link);
});

test("a link without a key gets the key of the saved order", () => {
  const link = { orderId: "AN-ORDER", loanId: "c" };
  expect(withSavedKey(link, { id: "an-order", key: "saved" })).toEqual({ ...link, key: "saved" });
  expect(withSavedKey({ ...link, key: "linked" }, { id: "an-order", key: "saved" })?.key).toBe(
    "linked",
  );
  expect(withSavedKey(link, { id: "another", key: "saved" })?.key).toBeUndefined();
  expect(withSavedKey(link, { id: "an-order" })?.key).toBeUndefined();
  expect(withSavedKey(link, undefined)).toEqual(link);
  expect(withSavedKey(undefined, { id: "an-order", key: "saved" })).toBeUndefined();
});

test("a link may have neither a loan nor a key", () => {
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
])("the path /order%s%s is incomplete", (search, hash) => {
  expect(orderLinkIn({ search, hash })).toBeUndefined();
});
