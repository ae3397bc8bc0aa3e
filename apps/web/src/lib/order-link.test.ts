import { expect, test } from "vitest";
import { keyInFragment, orderLink } from "./order-link.ts";

const ids = { orderId: "an-order", contractId: "a contract & more" };

test("both ids are query parameters, and the key is in the fragment, where it can be read again", () => {
  const link = orderLink({ ...ids, key: "-k_1" });
  expect(link).toEqual({
    pathname: "/order",
    search: "?orderId=an-order&contractId=a+contract+%26+more",
    hash: "#key=-k_1",
  });
  expect(keyInFragment(link.hash)).toBe("-k_1");
});

test("an order whose key is not known has a link without a fragment", () => {
  expect(orderLink({ ...ids, key: undefined }).hash).toBe("");
});

test.each(["", "#", "#main", "#keys=1"])("there is no key in the fragment %j", (hash) => {
  expect(keyInFragment(hash)).toBeUndefined();
});
