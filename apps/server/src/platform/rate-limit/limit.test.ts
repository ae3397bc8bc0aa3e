import { expect, test, vi } from "vitest";
import { DAY, MINUTE } from "../scheduling/clock.ts";
import {
  type CountWindow,
  createLimit,
  createWindowCounters,
  networkOf,
  type Rule,
  type WindowCounters,
  withLocalFallback,
} from "./limit.ts";

/** A limit with a clock that the test sets, and its refusals. */
function createTestLimit(rules: readonly Rule[]) {
  const clock = { time: 0 };
  const now = () => clock.time;
  const refused: string[] = [];
  const counters = createWindowCounters(now);
  const count = vi.spyOn(counters, "count");
  const limit = createLimit(rules, {
    counters,
    now,
    onRefused: (kind, who) => refused.push(`${kind} ${who}`),
  });
  return { limit, clock, refused, count };
}
const orders: Rule = { kind: "orders", max: 2, window: MINUTE };

test("the limit per minute is counted for each address separately", async () => {
  const { limit, clock, refused } = createTestLimit([orders]);
  expect([await limit("a"), await limit("a"), await limit("a"), await limit("b")]).toEqual([
    undefined,
    undefined,
    60,
    undefined,
  ]);
  clock.time = MINUTE - 1_500;
  expect(await limit("a")).toBe(2);
  expect(refused).toEqual(["orders a", "orders a"]);
  clock.time = MINUTE;
  expect(await limit("a")).toBeUndefined();
});

test("each kind of request is counted separately", async () => {
  const counters = createWindowCounters(() => 0);
  const options = { counters, now: () => 0, onRefused() {} };
  const one = createLimit([{ ...orders, max: 1 }], options);
  const other = createLimit([{ ...orders, kind: "sockets", max: 1 }], options);
  expect([await one("a"), await other("a")]).toEqual([undefined, undefined]);
});

test("a daily limit applies too, and requests that the limit per minute refused do not count towards it", async () => {
  const { limit, clock, refused } = createTestLimit([
    orders,
    { kind: "orders-daily", max: 4, window: DAY },
  ]);
  const answers: (number | undefined)[] = [];
  for (const minute of [0, 1, 2]) {
    clock.time = minute * MINUTE;
    for (let count = 0; count < 2; count += 1) answers.push(await limit("a"));
  }
  const left = (DAY - 2 * MINUTE) / 1000;
  expect(answers).toEqual([undefined, undefined, undefined, undefined, left, left]);
  expect(refused).toEqual(["orders-daily a", "orders-daily a"]);
  clock.time = DAY;
  expect(await limit("a")).toBeUndefined();
});

test("at the maximum number of windows, a new one replaces the oldest", async () => {
  let time = 0;
  const counters = createWindowCounters(() => time, 3);
  const count = async (key: string) => (await counters.count(key, MINUTE)).count;
  for (const key of ["oldest", "a", "b"]) await count(key);
  expect(await count("c")).toBe(1);
  expect([await count("a"), await count("b"), await count("c")]).toEqual([2, 2, 2]);
  expect(await count("oldest"), "replaces a").toBe(1);
  time = MINUTE;
  expect(await count("b"), "a window that starts again is the newest").toBe(1);
  expect(await count("d"), "replaces c").toBe(1);
  expect(await count("b")).toBe(2);
});

test("requests of a refused address are not counted", async () => {
  const { limit, count } = createTestLimit([
    orders,
    { kind: "orders-daily", max: 100, window: DAY },
  ]);
  for (let act = 0; act < 50; act += 1) await limit("a");
  expect(count).toHaveBeenCalledTimes(3 * 2);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("the address %s is counted as %s", (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});

test("the wait is rounded up to whole seconds, and is at least one", async () => {
  const { limit, clock } = createTestLimit([{ ...orders, max: 0 }]);
  expect(await limit("a")).toBe(60);
  clock.time = 1;
  expect(await limit("a")).toBe(60);
  clock.time = MINUTE - 1;
  expect(await limit("a")).toBe(1);
  const over: WindowCounters = {
    count: async () => ({ count: 2, endsIn: 0 }),
    close: async () => {},
  };
  const options = { counters: over, now: () => 0, onRefused() {} };
  expect(await createLimit([{ ...orders, max: 1 }], options)("a")).toBe(1);
});

test("a refused address is counted again when its window has ended", async () => {
  const { limit, clock, count } = createTestLimit([{ ...orders, max: 0 }]);
  await limit("a");
  clock.time = MINUTE - 1;
  await limit("a");
  expect(count).toHaveBeenCalledTimes(1);
  clock.time = MINUTE;
  await limit("a");
  expect(count).toHaveBeenCalledTimes(2);
});

test("no more than ten thousand refused addresses are remembered", async () => {
  const { limit, count } = createTestLimit([{ ...orders, max: 0 }]);
  for (let address = 0; address < 10_000; address += 1) await limit(String(address));
  await limit("0");
  expect(count, "0 is remembered").toHaveBeenCalledTimes(10_000);
  await limit("one more");
  await limit("0");
  expect(count).toHaveBeenCalledTimes(10_002);
});

test("an address counts by its network and the kind of the rule", async () => {
  const { limit, count } = createTestLimit([orders]);
  await limit("2001:db8:1:2:3:4:5:6");
  expect(count).toHaveBeenCalledWith("orders:2001:db8:1:2", MINUTE);
});

/** Shared counters that the test controls, and local ones. */
function withFallback(shared: () => Promise<CountWindow>) {
  const closed: string[] = [];
  const reasons: string[] = [];
  const local = createWindowCounters(() => 0);
  const counters = withLocalFallback(
    { count: shared, close: async () => void closed.push("shared") },
    { ...local, close: async () => void closed.push("local") },
    (error) => reasons.push(String(error)),
  );
  return { counters, reasons, closed };
}

test("while the shared counters respond, only they count", async () => {
  vi.useFakeTimers();
  const { counters, reasons, closed } = withFallback(async () => ({ count: 7, endsIn: 5 }));
  const timers = vi.getTimerCount();
  expect(await counters.count("a", MINUTE)).toEqual({ count: 7, endsIn: 5 });
  expect([reasons, vi.getTimerCount()]).toEqual([[], timers]);
  vi.useRealTimers();
  await counters.close();
  expect(closed).toEqual(["shared", "local"]);
});

test("counters with a fallback are closed when both are", async () => {
  const closing = Promise.withResolvers<void>();
  const local = createWindowCounters(() => 0);
  const shared: WindowCounters = { ...local, close: () => closing.promise };
  let closed = false;
  const all = withLocalFallback(shared, local, () => {})
    .close()
    .then(() => {
      closed = true;
    });
  await new Promise(setImmediate);
  expect(closed).toBe(false);
  closing.resolve();
  await all;
});

test("if the shared counters fail, the local ones count", async () => {
  const { counters, reasons } = withFallback(() => Promise.reject(new Error("gone")));
  expect(await counters.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
  expect(await counters.count("a", MINUTE)).toEqual({ count: 2, endsIn: MINUTE });
  expect(reasons).toEqual(["Error: gone", "Error: gone"]);
});

test("if the shared counters do not respond for half a second, the local ones count", async () => {
  vi.useFakeTimers();
  const { counters, reasons } = withFallback(() => new Promise(() => {}));
  let window: CountWindow | undefined;
  const counting = counters.count("a", MINUTE).then((counted) => {
    window = counted;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect(window).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(window).toEqual({ count: 1, endsIn: MINUTE });
  expect(reasons).toEqual(["Error: the shared counter did not answer within 500 ms"]);
  vi.useRealTimers();
  await counting;
});

test.each([
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["x::ffff:203.0.113.7", "x::ffff:203.0.113.7"],
  ["::ffff:203.0.113.7x", "::ffff:203.0.113.7x"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4"],
  ["1::8", "1:0:0:0"],
  ["1:2::7:8", "1:2:0:0"],
  ["1:2:3:4:5:6:7::", "1:2:3:4"],
  ["::5:6:7:8", "0:0:0:0"],
  ["::4:5:6:7:8", "0:0:0:4"],
  ["1::4:5:6:7:8", "1:0:0:4"],
  ["::", "0:0:0:0"],
  ["AB::", "ab:0:0:0"],
])("the network of %s is %s", (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});

test("a minute and a day are in milliseconds", () => {
  expect([MINUTE, DAY]).toEqual([60 * 1_000, 24 * 60 * 60 * 1_000]);
});

test("a window starts with its first request and ends after its length", async () => {
  let time = 0;
  const counters = createWindowCounters(() => time);
  expect(await counters.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
  time = MINUTE - 1;
  expect(await counters.count("a", MINUTE)).toEqual({ count: 2, endsIn: 1 });
  time = MINUTE;
  expect(await counters.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
});

test("tens of thousands of windows are kept by default", async () => {
  const counters = createWindowCounters(() => 0);
  for (let key = 0; key < 20_000; key += 1) await counters.count(String(key), MINUTE);
  expect(await counters.count("0", MINUTE)).toMatchObject({ count: 2 });
});

test("counters can be closed", async () => {
  await expect(createWindowCounters(() => 0).close()).resolves.toBeUndefined();
});
