import { expect, test } from "vitest";
import { aNumberedOrder } from "../../../../../test/harness/builders.ts";
import { createInProcessBus } from "../../platform/events/bus.ts";
import type { Order } from "../orders/index.ts";
import { createOrderStream } from "./order-stream.ts";
import type { Subscriber } from "./room.ts";

const ORDER = "00000000-0000-4000-8000-000000000001";
const order: Order = aNumberedOrder({ id: ORDER });

interface SubscriptionOptions {
  readonly holdsKey?: boolean;
  readonly paidBy?: string[];
}

/** A stream of one order whose loan is bound. Records the versions that its subscriber is sent. */
function subscribe({ holdsKey = false, paidBy = ["c"] }: SubscriptionOptions = {}) {
  const bus = createInProcessBus();
  const stored = { version: 1, paidBy };
  const readings: PromiseWithResolvers<void>[] = [];
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
      onResult({ isBound: true, isDone: true, outcome: "seen", isDeferred: false });
      return () => {};
    },
    onError() {},
    rereadInterval: 60_000,
  });
  const sent: number[] = [];
  const names: string[] = [];
  const subscriber: Subscriber = {
    holdsKey: false,
    network: "192.0.2.1",
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
    change,
  };
}

const settled = () => new Promise(setImmediate);

/** Ends the first read, and the read after the loan is found to be bound. */
async function endFirstReads(readings: readonly PromiseWithResolvers<void>[]): Promise<void> {
  for (const index of [0, 1]) {
    readings[index]?.resolve();
    await settled();
  }
}

test("an order whose loan is already bound is read again, and sent once", async () => {
  const { stream, sent, readings } = subscribe();
  await endFirstReads(readings);
  expect(sent).toEqual([1]);
  expect(readings).toHaveLength(2);
  stream.close();
});

test.each([
  [false, "withheld"],
  [true, "Ada Lovelace"],
])(
  "before a loan has paid the order, with the key (%s) the personal data is: %s",
  async (holdsKey, shown) => {
    const { stream, names, readings } = subscribe({ holdsKey, paidBy: [] });
    await endFirstReads(readings);
    expect(names).toEqual([shown]);
    stream.close();
  },
);

test("once the loan has paid, the personal data of a version that was sent without it is sent", async () => {
  const { stream, stored, sent, names, readings } = subscribe({ paidBy: [] });
  readings[0]?.resolve();
  await settled();
  stored.paidBy = ["c"]; // Without a new version: another loan had already paid the order.
  readings[1]?.resolve();
  await settled();
  expect(names).toEqual(["withheld"]);
  readings[2]?.resolve();
  await settled();
  expect(names).toEqual(["withheld", "Ada Lovelace"]);
  expect(sent).toEqual([1, 1]);
  stream.close();
});

test("once the loan has paid, every later version is sent with personal data", async () => {
  const { stream, stored, names, readings, change } = subscribe({ paidBy: ["another"] });
  await endFirstReads(readings);
  readings[2]?.resolve();
  await settled();
  stored.paidBy = ["another", "c"];
  change();
  readings[3]?.resolve();
  await settled();
  expect(names).toEqual(["withheld", "Ada Lovelace"]);
  stream.close();
});

test("a change that is already known is not read again", async () => {
  const { bus, stream, readings } = subscribe();
  await endFirstReads(readings);
  bus.publish({ topic: "order", id: ORDER, version: 1 });
  expect(readings).toHaveLength(2);
  stream.close();
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  "a change that arrives %i steps after the end of a read is read too",
  async (steps) => {
    const { stream, sent, readings, change } = subscribe();
    await endFirstReads(readings);
    change();
    readings[2]?.resolve();
    for (let step = 0; step < steps; step += 1) await undefined;
    change();
    await settled();
    readings[3]?.resolve();
    await settled();
    expect(sent.at(-1)).toBe(3);
    stream.close();
  },
);
