import { expect, test } from "vitest";
import { createLimit, network } from "./limit.ts";
import { createWindows, WINDOW } from "./windows.ts";

test("an address may do so much a minute, and others are not touched by it", async () => {
  let time = 0;
  const limit = createLimit(
    createWindows(() => time),
    "orders",
    2,
  );
  expect([await limit("a"), await limit("a"), await limit("a"), await limit("b")]).toEqual([
    undefined,
    undefined,
    60,
    undefined,
  ]);
  time = WINDOW - 1_500;
  expect(await limit("a")).toBe(2);
  time = WINDOW;
  expect(await limit("a")).toBeUndefined();
});

test("one kind of act does not count for another", async () => {
  const windows = createWindows(() => 0);
  const [orders, sockets] = [createLimit(windows, "orders", 1), createLimit(windows, "sockets", 1)];
  expect([await orders("a"), await sockets("a")]).toEqual([undefined, undefined]);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("%s counts as %s", (address, expected) => {
  expect(network(address)).toBe(expected);
});
