import type { WireFollowedOrder } from "@keepsats/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { createInProcessBus } from "../bus/in-process.ts";
import type { Follower } from "./channel.ts";
import { createOrderStream } from "./order-stream.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const address = { street: "", city: "", state: "", postal_code: "", country: "" };
const wire: WireFollowedOrder = {
  id: ORDER,
  status: "Pending",
  items: [],
  total_price: 1,
  created_at: 1,
  customer_name: "",
  customer_email: "",
  shipping_address: address,
  payment_attempt_over: false,
};

/** A stream over one order, whose contract is bound, and what its follower is sent: the versions. */
function follow({ lookAtOnce = true } = {}) {
  const bus = createInProcessBus();
  const stored = { version: 1 };
  const readings: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  let look = () => {};
  const stream = createOrderStream({
    bus,
    async readOrder() {
      const { version } = stored;
      const reading = Promise.withResolvers<void>();
      readings.push(reading);
      await reading.promise;
      return { version, wire: { ...wire, total_price: version } };
    },
    versionsOf: async () => new Map(),
    watch: (_key, onLook) => {
      look = () => onLook({ bound: true, done: true, sight: "seen" });
      if (lookAtOnce) look();
      return () => {};
    },
    onError: (error) => errors.push(error),
    reread: 60_000,
  });
  const sent: number[] = [];
  const follower: Follower = {
    version: 0,
    deliver: (message) => sent.push(JSON.parse(message.toString()).data.total_price),
  };
  stream.follow(ORDER, "c", follower);
  const change = () => {
    stored.version += 1;
    bus.publish({ topic: "order", id: ORDER, version: stored.version });
  };
  return { bus, stream, stored, sent, readings, errors, change, look: () => look() };
}

afterEach(() => {
  vi.useRealTimers();
});

const settled = () => new Promise(setImmediate);

test("an order that is bound already is read once to be shown", async () => {
  const { stream, sent, readings } = follow();
  readings[0]?.resolve();
  await settled();
  expect(sent).toEqual([1]);
  expect(readings).toHaveLength(1);
  stream.close();
});

test("a change that is known already is not read again", async () => {
  const { bus, stream, readings } = follow();
  readings[0]?.resolve();
  await settled();
  bus.publish({ topic: "order", id: ORDER, version: 1 });
  expect(readings).toHaveLength(1);
  stream.close();
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  "a change that comes %i steps after a reading has ended is read too",
  async (steps) => {
    const { stream, sent, readings, change } = follow();
    readings[0]?.resolve();
    await settled();
    change();
    readings[1]?.resolve();
    for (let step = 0; step < steps; step += 1) await undefined;
    change();
    await settled();
    readings[2]?.resolve();
    await settled();
    expect(sent.at(-1)).toBe(3);
    stream.close();
  },
);

/** One whose order was read some time ago, and whose contract nobody has looked at yet. */
async function followLongRead() {
  vi.useFakeTimers({ toFake: ["performance"] });
  const following = follow({ lookAtOnce: false });
  following.readings[0]?.resolve();
  await settled();
  vi.advanceTimersByTime(2_000);
  return following;
}

test("an order that was read some time before its contract is bound is read again", async () => {
  const { stream, stored, sent, readings, look } = await followLongRead();
  // Another process has moved it, and what it told of that was lost.
  stored.version = 2;
  look();
  readings[1]?.resolve();
  await settled();
  expect(sent).toEqual([2]);
  stream.close();
});

test("a follower whose order cannot be read again when its contract is bound is shown what is known", async () => {
  const { stream, sent, readings, errors, look } = await followLongRead();
  look();
  readings[1]?.reject(new Error("the database is away"));
  await settled();
  expect(sent).toEqual([1]);
  expect(errors.map(String)).toEqual(["Error: the database is away"]);
  stream.close();
});
