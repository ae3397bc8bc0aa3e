import { expect, test } from "vitest";
import { keyInFragment, orderLink } from "./order-link.ts";

const ids = { orderId: "an-order", contractId: "a contract & more" };

test("both ids are query parameters, and the key can be read from the fragment", () => {
  const link = orderLink({ ...ids, key: "-k_1" });
  expect(link).toEqual({
    pathname: "/order",
    search: "?orderId=an-order&contractId=a+contract+%26+more",
    hash: "#key=-k_1",
  });
  expect(keyInFragment(link.hash)).toBe("-k_1");
});

test("without a key the link has no fragment", () => {
  expect(orderLink({ ...ids, key: undefined }).hash).toBe("");
});

test.each(["", "#", "#main", "#keys=1"])("the fragment %j has no key", (hash) => {
  expect(keyInFragment(hash)).toBeUndefined();
});
