import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aNumberedOrder } from "../../../../../test/harness/builders.ts";
import { createInProcessBus } from "../../platform/events/bus.ts";
import type { Order } from "../orders/index.ts";
import type { CheckResult, Presenter } from "../payments/index.ts";
import { createOrderStream, type OrderStream } from "./order-stream.ts";
import type { Subscriber } from "./room.ts";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const ORDER = idOf(1);
const order: Order = aNumberedOrder({ id: ORDER });

/** The versions of the stored orders. */
let versions: Map<string, number>;
/** The loans that have paid the orders. */
let paidBy: string[];
let reads: string[];
let asked: number[];
let unreadable: boolean;
/** The running watches, by loan. */
let watched: Map<string, Set<(result: CheckResult) => void>>;
/** The presenters of the watches, in their order. */
let presenters: Presenter[];
let errors: string[];
let bus: ReturnType<typeof createInProcessBus>;
let stream: OrderStream;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  versions = new Map([[ORDER, 1]]);
  paidBy = ["c"];
  reads = [];
  asked = [];
  unreadable = false;
  watched = new Map();
  presenters = [];
  errors = [];
  bus = createInProcessBus();
  stream = createOrderStream({
    bus,
    async readOrder(id) {
      reads.push(id);
      if (unreadable) throw new Error("the database cannot be read");
      const version = versions.get(id);
      if (version === undefined) return undefined;
      return { order: { ...order, version, total_price: version * 100 }, paidBy };
    },
    async versionsOf(ids) {
      asked.push(ids.length);
      const known = ids.filter((id) => versions.has(id));
      return new Map(known.map((id) => [id, { version: versions.get(id) ?? 0 }]));
    },
    watch({ loanId }, presenter, onResult) {
      presenters.push(presenter);
      const watches = watched.get(loanId) ?? new Set();
      watched.set(loanId, watches.add(onResult));
      return () => {
        watches.delete(onResult);
        if (watches.size === 0) watched.delete(loanId);
      };
    },
    onError: (error) => errors.push(String(error)),
    rereadInterval: 60_000,
  });
});
afterEach(() => {
  stream.close();
  vi.useRealTimers();
});

const settled = () => new Promise(setImmediate);

/** Subscribes and records the kinds of errors and the versions of the order that are sent. */
async function subscribe({
  orderId = ORDER,
  loanId = "c",
  holdsKey = false,
  network = "192.0.2.1",
}: {
  orderId?: string;
  loanId?: string | null;
  holdsKey?: boolean;
  network?: string;
} = {}) {
  const sent: (string | number)[] = [];
  const subscriber: Subscriber = {
    holdsKey: false,
    network,
    deliver(message) {
      const { type, data } = JSON.parse(message.toString());
      sent.push(type === "error" ? data.kind : data.total_price);
    },
  };
  const unsubscribe = stream.subscribe(
    { orderId, loanId: loanId ?? undefined, holdsKey },
    subscriber,
  );
  await settled();
  return { sent, unsubscribe, subscriber };
}

async function check(
  outcome: CheckResult["outcome"],
  { isBound = false, isDone = false, loanId = "c" } = {},
): Promise<void> {
  for (const onResult of watched.get(loanId) ?? [])
    onResult({ isBound, isDone, outcome, isDeferred: false });
  await settled();
}

test.each([
  ["an invalid order id", { orderId: "none" }, "OrderNotFound", 0],
  ["an unknown order", { orderId: idOf(9) }, "OrderNotFound", 1],
  ["an empty loan id", { loanId: "" }, "ContractNotFound", 1],
  ["a loan id with a blank", { loanId: "a loan" }, "ContractNotFound", 1],
  ["a loan id with an invalid first character", { loanId: "/c" }, "ContractNotFound", 1],
  ["a loan id with an invalid last character", { loanId: "c/" }, "ContractNotFound", 1],
  ["a loan id that is too long", { loanId: "c".repeat(101) }, "ContractNotFound", 1],
])("a subscriber with %s is sent an error", async (_, request, kind, readCount) => {
  const { sent } = await subscribe(request);
  expect(sent).toEqual([kind]);
  expect(reads).toHaveLength(readCount);
  expect(watched.size).toBe(0);
});

test.each(["c", "c".repeat(100), "A-z_09"])("the loan %s is watched", async (loanId) => {
  const { sent } = await subscribe({ loanId });
  expect(sent, "the loan is not bound").toEqual([]);
  expect([...watched.keys()]).toEqual([loanId]);
});

test("the error of an unreachable or absent loan is sent once, until the loan is seen", async () => {
  const { sent } = await subscribe();
  await check("unreachable");
  await check("unreachable");
  await check("waiting");
  expect(sent).toEqual(["ConnectionError"]);
  await check("absent");
  expect(sent).toEqual(["ConnectionError", "ContractNotFound"]);
  await check("seen", { isBound: true });
  expect(sent).toEqual(["ConnectionError", "ContractNotFound", 1]);
  await check("unreachable", { isBound: true });
  await check("absent", { isBound: true });
  await check("seen", { isBound: true });
  expect(sent.slice(3)).toEqual(["ConnectionError", 1]);
});

test("a subscriber with the key and no loan is sent the order at once, and each of its changes", async () => {
  const { sent } = await subscribe({ loanId: null, holdsKey: true });
  expect(sent).toEqual([1]);
  versions.set(ORDER, 2);
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(sent).toEqual([1, 2]);
  expect(watched.size, "there is no loan to watch").toBe(0);
});

test("a subscriber with a wrong key and no loan gets the error of an unknown order, without a read", async () => {
  const [wrong, unknown] = [
    await subscribe({ loanId: null }),
    await subscribe({ orderId: idOf(9), loanId: null }),
  ];
  expect(wrong.sent).toEqual(["OrderNotFound"]);
  expect(unknown.sent).toEqual(wrong.sent);
  expect(reads).toEqual([]);
  versions.set(ORDER, 2);
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(wrong.sent, "the order is not sent").toEqual(["OrderNotFound"]);
});

test("subscribers with the key get the order and the errors of a loan that is not bound", async () => {
  const [other, holder] = [await subscribe(), await subscribe({ holdsKey: true })];
  expect([holder.sent, other.sent]).toEqual([[1], []]);
  await check("absent");
  await check("unreachable");
  expect(other.sent).toEqual(["ContractNotFound", "ConnectionError"]);
  expect(holder.sent).toEqual([1, ...other.sent]);
  versions.set(ORDER, 2);
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(holder.sent.at(-1)).toBe(2);
  expect(other.sent.at(-1)).toBe("ConnectionError");
  const late = await subscribe({ holdsKey: true });
  expect(late.sent).toEqual([2]);
  await check("seen", { isBound: true });
  expect(holder.sent.at(-1), "sent again, because the error has ended").toBe(2);
  expect(holder.sent).toHaveLength(5);
});

test("a subscriber with the key gets an order that could not be read after the next round", async () => {
  unreadable = true;
  const { sent } = await subscribe({ loanId: null, holdsKey: true });
  expect(sent).toEqual([]);
  unreadable = false;
  vi.advanceTimersByTime(60_000);
  await settled();
  expect(sent).toEqual([1]);
});

test("a loan of another order does not reveal this order", async () => {
  const { sent } = await subscribe();
  await check("unreachable");
  await check("seen", { isBound: false });
  expect(sent).toEqual(["ConnectionError"]);
});

test("after the last check there is no watch to end", async () => {
  const { unsubscribe } = await subscribe();
  await check("seen", { isBound: true, isDone: true });
  unsubscribe();
  expect([...watched.keys()], "it has already ended").toEqual(["c"]);
});

test("each subscriber leaves once, and the watch ends with the last subscriber", async () => {
  const [one, two] = [await subscribe(), await subscribe()];
  const other = await subscribe({ loanId: "d" });
  one.unsubscribe();
  one.unsubscribe();
  expect([...watched.keys()]).toEqual(["c", "d"]);
  two.unsubscribe();
  expect([...watched.keys()]).toEqual(["d"]);
  other.unsubscribe();
  expect(watched.size).toBe(0);
});

test("nothing is read for subscribers that have left", async () => {
  const [one, other] = [await subscribe(), await subscribe({ loanId: "d" })];
  one.unsubscribe();
  reads = [];
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(reads, "one subscriber is left").toEqual([ORDER]);
  other.unsubscribe();
  bus.publish({ topic: "order", id: ORDER, version: 3 });
  await settled();
  expect(reads).toEqual([ORDER]);
});

test("each subscriber presents its loan, with or without the order's key", async () => {
  await subscribe({ network: "192.0.2.1" });
  await subscribe({ network: "2001:db8:1:2", holdsKey: true });
  expect(presenters).toEqual([
    { client: "192.0.2.1", holdsKey: false },
    { client: "2001:db8:1:2", holdsKey: true },
  ]);
});

test("no watch starts for a subscriber that left while its order was read", async () => {
  const sent: unknown[] = [];
  const subscriber: Subscriber = {
    holdsKey: false,
    network: "192.0.2.1",
    deliver: (message) => sent.push(message),
  };
  stream.subscribe({ orderId: ORDER, loanId: "c", holdsKey: false }, subscriber)();
  await settled();
  expect([watched.size, sent.length]).toEqual([0, 0]);
});

test("once the payout of its loan is reversed, a subscriber is sent no more personal data", async () => {
  const isWithheld: boolean[] = [];
  const subscriber: Subscriber = {
    holdsKey: false,
    network: "192.0.2.1",
    deliver: (message) => isWithheld.push(JSON.parse(message.toString()).data.withheld === true),
  };
  stream.subscribe({ orderId: ORDER, loanId: "c", holdsKey: false }, subscriber);
  await settled();
  await check("seen", { isBound: true });
  paidBy = [];
  versions.set(ORDER, 2);
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(isWithheld).toEqual([false, true]);
});

test("after a failed read the order is read again in the next round, although its version is known", async () => {
  const { sent } = await subscribe();
  unreadable = true;
  await check("seen", { isBound: true });
  expect(sent).toEqual([]);
  expect(errors).toEqual(["Error: the database cannot be read"]);
  unreadable = false;
  vi.advanceTimersByTime(60_000);
  await settled();
  expect(sent).toEqual([1]);
});

test("a second subscriber whose loan has paid is sent no personal data before the order is read again", async () => {
  const join = async () => {
    const isWithheld: boolean[] = [];
    const deliver = (message: Buffer) => {
      const { type, data } = JSON.parse(message.toString());
      if (type !== "error") isWithheld.push(data.withheld === true);
    };
    const subscriber: Subscriber = { holdsKey: false, network: "192.0.2.1", deliver };
    stream.subscribe({ orderId: ORDER, loanId: "c", holdsKey: false }, subscriber);
    await settled();
    await check("seen", { isBound: true });
    return isWithheld;
  };
  expect(await join()).toEqual([false]);
  unreadable = true;
  expect(await join(), "the payout may be reversed by now").toEqual([]);
});

test("a second subscriber is sent the order once, in its newest version", async () => {
  const join = async () => {
    const { sent } = await subscribe();
    await check("seen", { isBound: true });
    return sent;
  };
  expect(await join()).toEqual([1]);
  expect(await join()).toEqual([1]);
  versions.set(ORDER, 2);
  expect(await join()).toEqual([2]);
});

test("a second subscriber of an unknown order is sent OrderNotFound after the read", async () => {
  await subscribe({ orderId: idOf(9) });
  const { sent } = await subscribe({ orderId: idOf(9) });
  expect(sent.every((kind) => kind === "OrderNotFound")).toBe(true);
  expect(sent.length).toBeGreaterThan(0);
  expect(reads).toHaveLength(2);
});

test("a subscription that could not be opened while the database was down is opened later", async () => {
  unreadable = true;
  const { sent } = await subscribe();
  expect([sent, watched.size]).toEqual([[], 0]);
  expect(errors).toHaveLength(1);
  unreadable = false;
  vi.advanceTimersByTime(60_000);
  await settled();
  await check("seen", { isBound: true });
  expect(sent).toEqual([1]);
});

test("a subscriber gets an order that is stored later", async () => {
  const { sent } = await subscribe({ orderId: idOf(2) });
  versions.set(idOf(2), 1);
  vi.advanceTimersByTime(60_000);
  await settled();
  await check("unreachable");
  await check("seen", { isBound: true });
  expect(sent).toEqual(["OrderNotFound", "ConnectionError", 1]);
});

test("after a gap in the bus the changed orders are read, and no watch starts twice", async () => {
  const { sent } = await subscribe();
  await check("seen", { isBound: true });
  const before = watched.get("c");
  reads = [];
  bus.publish({ topic: "gap" });
  await settled();
  expect(reads, "nothing has changed").toEqual([]);
  versions.set(ORDER, 2);
  bus.publish({ topic: "gap" });
  await settled();
  expect(sent).toEqual([1, 2]);
  expect(watched.get("c")).toBe(before);
});

test("every minute the versions of all orders with subscribers are read, 500 at a time", async () => {
  for (let order = 1; order <= 501; order += 1) await subscribe({ orderId: idOf(order) });
  await subscribe({ orderId: "none" });
  vi.advanceTimersByTime(59_999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  await settled();
  expect(asked).toEqual([500, 1]);
});

test("a failed round is reported, and the next one is made", async () => {
  await subscribe();
  versions.set(ORDER, 2);
  unreadable = true;
  vi.advanceTimersByTime(60_000);
  await settled();
  expect(errors).toEqual(["Error: the database cannot be read"]);
  unreadable = false;
  vi.advanceTimersByTime(60_000);
  await settled();
  expect(reads).toHaveLength(3);
});

test("the stream ignores messages on other topics", async () => {
  await subscribe();
  reads = [];
  bus.publish({ topic: "catalogue" });
  bus.publish({ topic: "order", id: idOf(2), version: 5 });
  await settled();
  expect([reads, asked]).toEqual([[], []]);
});

test("a closed stream reads nothing", async () => {
  await subscribe();
  reads = [];
  stream.close();
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  vi.advanceTimersByTime(120_000);
  await settled();
  expect([reads, asked]).toEqual([[], []]);
});
