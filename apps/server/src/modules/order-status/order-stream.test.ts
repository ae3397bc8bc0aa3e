import { afterEach, expect, test, vi } from "vitest";
import { aNumberedOrder } from "../../../../../test/harness/builders.ts";
import { createInProcessBus } from "../../platform/events/bus.ts";
import type { Order } from "../orders/index.ts";
import { createOrderStream } from "./order-stream.ts";
import type { Subscriber } from "./room.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const order: Order = aNumberedOrder({ id: ORDER });

interface SubscriptionOptions {
  readonly checkAtOnce?: boolean;
  readonly holdsKey?: boolean;
  readonly paidBy?: string[];
}

/** A stream of one order whose loan is bound. Records the versions that its subscriber is sent. */
function subscribe({
  checkAtOnce = true,
  holdsKey = false,
  paidBy = ["c"],
}: SubscriptionOptions = {}) {
  const bus = createInProcessBus();
  const stored = { version: 1, paidBy };
  const readings: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  let finishCheck = () => {};
  const stream = createOrderStream({
    bus,
    async readOrder() {
      const { version, paidBy } = stored;
      const reading = Promise.withResolvers<void>();
      readings.push(reading);
      await reading.promise;
      return { order: { ...order, version, total_price: version * 100 }, paidBy };
    },
    versionsOf: async () => new Map(),
    watch: (_key, _presenter, onResult) => {
      finishCheck = () =>
        onResult({ isBound: true, isDone: true, finding: "seen", isDeferred: false });
      if (checkAtOnce) finishCheck();
      return () => {};
    },
    onError: (error) => errors.push(error),
    rereadInterval: 60_000,
  });
  const sent: number[] = [];
  const names: string[] = [];
  const subscriber: Subscriber = {
    holdsKey: false,
    network: "192.0.2.1",
    rank: 0,
    deliver(message) {
      const { data } = JSON.parse(message.toString());
      sent.push(data.total_price);
      names.push(data.withheld === true ? "withheld" : data.customer_name);
    },
  };
  stream.subscribe({ orderId: ORDER, loanId: "c", holdsKey }, subscriber);
  const change = () => {
    stored.version += 1;
    bus.publish({ topic: "order", id: ORDER, version: stored.version });
  };
  return {
    bus,
    stream,
    stored,
    sent,
    names,
    readings,
    errors,
    change,
    finishCheck: () => finishCheck(),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

const settled = () => new Promise(setImmediate);

test("an order whose loan is already bound is read once before it is sent", async () => {
  const { stream, sent, readings } = subscribe();
  readings[0]?.resolve();
  await settled();
  expect(sent).toEqual([1]);
  expect(readings).toHaveLength(1);
  stream.close();
});

test.each([
  [false, "withheld"],
  [true, "Ada Lovelace"],
])(
  "before a loan has paid the order, with the key (%s) the personal data is: %s",
  async (holdsKey, shown) => {
    const { stream, names, readings } = subscribe({ holdsKey, paidBy: [] });
    readings[0]?.resolve();
    await settled();
    expect(names).toEqual([shown]);
    stream.close();
  },
);

test("once the loan has paid, the personal data of a version that was sent without it is sent", async () => {
  const { stream, stored, sent, names, readings } = subscribe({ paidBy: [] });
  stored.paidBy = ["c"]; // Without a new version: another loan had already paid the order.
  readings[0]?.resolve();
  await settled();
  readings[1]?.resolve();
  await settled();
  expect(names).toEqual(["withheld", "Ada Lovelace"]);
  expect(sent).toEqual([1, 1]);
  stream.close();
});

test("once the loan has paid, every later version is sent with personal data", async () => {
  const { stream, stored, names, readings, change } = subscribe({ paidBy: ["another"] });
  readings[0]?.resolve();
  await settled();
  readings[1]?.resolve();
  await settled();
  stored.paidBy = ["another", "c"];
  change();
  readings[2]?.resolve();
  await settled();
  expect(names).toEqual(["withheld", "Ada Lovelace"]);
  stream.close();
});

test("a change that is already known is not read again", async () => {
  const { bus, stream, readings } = subscribe();
  readings[0]?.resolve();
  await settled();
  bus.publish({ topic: "order", id: ORDER, version: 1 });
  expect(readings).toHaveLength(1);
  stream.close();
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  "a change that arrives %i steps after the end of a read is read too",
  async (steps) => {
    const { stream, sent, readings, change } = subscribe();
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

/** Subscribes to an order that was read some time ago, whose loan has not been checked yet. */
async function followLongRead() {
  vi.useFakeTimers({ toFake: ["performance"] });
  const following = subscribe({ checkAtOnce: false });
  following.readings[0]?.resolve();
  await settled();
  vi.advanceTimersByTime(2_000);
  return following;
}

test("an order is read again if its loan is bound some time after the first read", async () => {
  const { stream, stored, sent, readings, finishCheck } = await followLongRead();
  // Another process has changed it, and the message was lost.
  stored.version = 2;
  finishCheck();
  readings[1]?.resolve();
  await settled();
  expect(sent).toEqual([2]);
  stream.close();
});

test("if the order cannot be read again when its loan is bound, the known version is sent", async () => {
  const { stream, sent, readings, errors, finishCheck } = await followLongRead();
  finishCheck();
  readings[1]?.reject(new Error("the database is away"));
  await settled();
  expect(sent).toEqual([1]);
  expect(errors.map(String)).toEqual(["Error: the database is away"]);
  stream.close();
});
