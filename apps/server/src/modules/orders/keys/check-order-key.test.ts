import { expect, test } from "vitest";
import { createCheckKey } from "./check-order-key.ts";

/** A check for which "right" is the right key. Records the counted addresses and the refusals. */
function start(wait?: number) {
  const counted: string[] = [];
  const refused: string[] = [];
  const checkKey = createCheckKey({
    isKeyOf: (orderId, key) => orderId === "order" && key === "right",
    limit: async (address) => {
      counted.push(address);
      return wait;
    },
    onRefused: (kind, network) => refused.push(`${kind} ${network}`),
  });
  return { checkKey, counted, refused };
}

test("the right key is accepted and not counted, even from an address over its limit", async () => {
  const { checkKey, counted, refused } = start(60);
  expect(await checkKey("order", "right", "203.0.113.7")).toEqual({ kind: "right" });
  expect([...counted, ...refused]).toEqual([]);
});

test("a wrong key counts for its address, whether the order exists or not", async () => {
  const { checkKey, counted, refused } = start();
  expect(await checkKey("order", "wrong", "2001:db8:1:2::3")).toEqual({ kind: "wrong" });
  expect(await checkKey("no order", "right", "2001:db8:1:2::3")).toEqual({ kind: "wrong" });
  expect(counted).toEqual(["2001:db8:1:2::3", "2001:db8:1:2::3"]);
  expect(refused).toEqual(["wrong-key 2001:db8:1:2", "wrong-key 2001:db8:1:2"]);
});

test("an address over its limit gets the time to wait", async () => {
  const { checkKey } = start(60);
  expect(await checkKey("order", "wrong", "203.0.113.7")).toEqual({
    kind: "too-many",
    retryAfter: 60,
  });
});
