import { afterEach, expect, test, vi } from "vitest";
import { createInProcessBus } from "../bus/in-process.ts";
import type { Order } from "../orders/index.ts";
import type { Follower } from "./channel.ts";
import { createOrderStream } from "./order-stream.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const address = { street: "", city: "", state: "", postal_code: "", country: "" };
const order: Order = {
  id: ORDER,
  status: "Pending",
  version: 1,
  items: [],
  total_price: 100,
  created_at: 1_000,
  customer_name: "Ada Lovelace",
  customer_email: "",
  shipping_address: address,
  billing_address: address,
  payment_attempt_over: false,
};

interface Following {
  readonly lookAtOnce?: boolean;
  readonly key?: string;
  readonly paidBy?: string[];
}

/** A stream over one order, whose contract is bound, and what its follower is sent: the versions. */
function follow({ lookAtOnce = true, key = "", paidBy = ["c"] }: Following = {}) {
  const bus = createInProcessBus();
  const stored = { version: 1, paidBy };
  const readings: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  let look = () => {};
  const stream = createOrderStream({
    bus,
    async readOrder() {
      const { version, paidBy } = stored;
      const reading = Promise.withResolvers<void>();
      readings.push(reading);
      await reading.promise;
      return { order: { ...order, version, total_price: version * 100 }, paidBy };
    },
    isKeyOf: (_orderId, key) => key === "right",
    versionsOf: async () => new Map(),
    watch: (_key, onLook) => {
      look = () => onLook({ bound: true, done: true, finding: "seen", deferred: false });
      if (lookAtOnce) look();
      return () => {};
    },
    onError: (error) => errors.push(error),
    reread: 60_000,
  });
  const sent: number[] = [];
  const people: string[] = [];
  const follower: Follower = {
    holdsKey: false,
    rank: 0,
    deliver(message) {
      const { data } = JSON.parse(message.toString());
      sent.push(data.total_price);
      people.push(data.withheld === true ? "withheld" : data.customer_name);
    },
  };
  stream.follow({ orderId: ORDER, contractId: "c", key }, follower);
  const change = () => {
    stored.version += 1;
    bus.publish({ topic: "order", id: ORDER, version: stored.version });
  };
  return { bus, stream, stored, sent, people, readings, errors, change, look: () => look() };
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

test.each([
  ["", "withheld"],
  ["wrong", "withheld"],
  ["right", "Ada Lovelace"],
])("while no loan has paid the order, with the key %j its people are: %s", async (key, shown) => {
  const { stream, people, readings } = follow({ key, paidBy: [] });
  readings[0]?.resolve();
  await settled();
  expect(people).toEqual([shown]);
  stream.close();
});

test("a loan that turns out to have paid shows the people of a version that was sent without them", async () => {
  const { stream, stored, sent, people, readings } = follow({ paidBy: [] });
  stored.paidBy = ["c"]; // Without a new version: the order had been paid by another loan before.
  readings[0]?.resolve();
  await settled();
  readings[1]?.resolve();
  await settled();
  expect(people).toEqual(["withheld", "Ada Lovelace"]);
  expect(sent).toEqual([1, 1]);
  stream.close();
});

test("a loan that has paid shows the people of every version after it", async () => {
  const { stream, stored, people, readings, change } = follow({ paidBy: ["another"] });
  readings[0]?.resolve();
  await settled();
  readings[1]?.resolve();
  await settled();
  stored.paidBy = ["another", "c"];
  change();
  readings[2]?.resolve();
  await settled();
  expect(people).toEqual(["withheld", "Ada Lovelace"]);
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
