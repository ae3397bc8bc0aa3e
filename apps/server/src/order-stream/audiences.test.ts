import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aStoredOrder } from "../../../../test/harness/builders.ts";
import { createInProcessBus } from "../bus/in-process.ts";
import type { Order } from "../orders/index.ts";
import type { CheckResult, Presenter } from "../payments/index.ts";
import type { Follower } from "./channel.ts";
import { createOrderStream, type OrderStream } from "./order-stream.ts";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const ORDER = idOf(1);
const order: Order = aStoredOrder({ id: ORDER });

/** The stored orders by version, and the reads of them. */
let versions: Map<string, number>;
let reads: string[];
let asked: number[];
let unreadable: boolean;
/** The running watches, by loan. */
let watched: Map<string, (result: CheckResult) => void>;
/** The presenter of the last watched loan. */
let presenterOf: () => Presenter | undefined;
let errors: string[];
let bus: ReturnType<typeof createInProcessBus>;
let stream: OrderStream;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  versions = new Map([[ORDER, 1]]);
  reads = [];
  asked = [];
  unreadable = false;
  watched = new Map();
  errors = [];
  bus = createInProcessBus();
  stream = createOrderStream({
    bus,
    async readOrder(id) {
      reads.push(id);
      if (unreadable) throw new Error("the database cannot be read");
      const version = versions.get(id);
      if (version === undefined) return undefined;
      return { order: { ...order, version, total_price: version * 100 }, paidBy: ["c"] };
    },
    async versionsOf(ids) {
      asked.push(ids.length);
      const known = ids.filter((id) => versions.has(id));
      return new Map(known.map((id) => [id, { version: versions.get(id) ?? 0 }]));
    },
    watch({ loanId }, presenter, onResult) {
      presenterOf = presenter;
      watched.set(loanId, onResult);
      return () => {
        watched.delete(loanId);
      };
    },
    onError: (error) => errors.push(String(error)),
    reread: 60_000,
  });
});
afterEach(() => {
  stream.close();
  vi.useRealTimers();
});

const settled = () => new Promise(setImmediate);

/** A follower of an order, and what it was sent: kinds of errors and versions of the order. */
async function follow({
  orderId = ORDER,
  loanId = "c",
  holdsKey = false,
  address = "192.0.2.1",
}: {
  orderId?: string;
  loanId?: string | null;
  holdsKey?: boolean;
  address?: string;
} = {}) {
  const sent: (string | number)[] = [];
  const follower: Follower = {
    holdsKey: false,
    rank: 0,
    address,
    deliver(message) {
      const { type, data } = JSON.parse(message.toString());
      sent.push(type === "error" ? data.kind : data.total_price);
    },
  };
  const unfollow = stream.follow({ orderId, loanId: loanId ?? undefined, holdsKey }, follower);
  await settled();
  return { sent, unfollow, follower };
}

async function check(
  finding: CheckResult["finding"],
  { bound = false, done = false, loanId = "c" } = {},
): Promise<void> {
  watched.get(loanId)?.({ bound, done, finding, deferred: false });
  await settled();
}

test.each([
  ["an order's id that can be none", { orderId: "none" }, "OrderNotFound", 0],
  ["an order that is not stored", { orderId: idOf(9) }, "OrderNotFound", 1],
  ["no loan", { loanId: "" }, "ContractNotFound", 1],
  ["a loan's id that can be none", { loanId: "a loan" }, "ContractNotFound", 1],
  ["a loan's id that begins badly", { loanId: "/c" }, "ContractNotFound", 1],
  ["a loan's id that ends badly", { loanId: "c/" }, "ContractNotFound", 1],
  ["a loan's id that is too long", { loanId: "c".repeat(101) }, "ContractNotFound", 1],
])("a follower of %s is sent an error", async (_, request, kind, readCount) => {
  const { sent } = await follow(request);
  expect(sent).toEqual([kind]);
  expect(reads).toHaveLength(readCount);
  expect(watched.size).toBe(0);
});

test.each(["c", "c".repeat(100), "A-z_09"])("the loan %s is watched", async (loanId) => {
  const { sent } = await follow({ loanId });
  expect(sent, "its loan is not known to be bound").toEqual([]);
  expect([...watched.keys()]).toEqual([loanId]);
});

test("the error of an unreachable or absent loan is sent once, until the loan is seen", async () => {
  const { sent } = await follow();
  await check("unreachable");
  await check("unreachable");
  await check("waiting");
  expect(sent).toEqual(["ConnectionError"]);
  await check("absent");
  expect(sent).toEqual(["ConnectionError", "ContractNotFound"]);
  await check("seen", { bound: true });
  expect(sent).toEqual(["ConnectionError", "ContractNotFound", 1]);
  await check("unreachable", { bound: true });
  await check("absent", { bound: true });
  await check("seen", { bound: true });
  expect(sent.slice(3)).toEqual(["ConnectionError", 1]);
});

test("a follower with the key and no loan is sent the order at once, and each of its changes", async () => {
  const { sent, unfollow } = await follow({ loanId: null, holdsKey: true });
  expect(sent).toEqual([1]);
  versions.set(ORDER, 2);
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(sent).toEqual([1, 2]);
  expect(watched.size, "there is no loan to watch").toBe(0);
  unfollow();
  expect(stream.followers).toBe(0);
});

test("a follower with a wrong key and no loan is answered like one of an unknown order, without a read", async () => {
  const [wrong, unknown] = [
    await follow({ loanId: null }),
    await follow({ orderId: idOf(9), loanId: null }),
  ];
  expect(wrong.sent).toEqual(["OrderNotFound"]);
  expect(unknown.sent).toEqual(wrong.sent);
  expect(reads).toEqual([]);
  versions.set(ORDER, 2);
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(wrong.sent, "nothing of the order follows").toEqual(["OrderNotFound"]);
  expect(stream.followers).toBe(2);
  for (const { unfollow } of [wrong, unknown, wrong]) unfollow();
  expect(stream.followers).toBe(0);
});

test("followers with the key are sent the order beside the errors of a loan that is not bound", async () => {
  const [holder, other] = [await follow({ holdsKey: true }), await follow()];
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
  const late = await follow({ holdsKey: true });
  expect(late.sent).toEqual([2, "ConnectionError"]);
  await check("seen", { bound: true });
  expect(holder.sent.at(-1), "sent again, because the error is over").toBe(2);
  expect(holder.sent).toHaveLength(5);
});

test("a follower with the key of an order that cannot be read is sent it as soon as it can be", async () => {
  unreadable = true;
  const { sent } = await follow({ loanId: null, holdsKey: true });
  expect(sent).toEqual([]);
  unreadable = false;
  vi.advanceTimersByTime(60_000);
  await settled();
  expect(sent).toEqual([1]);
});

test("a loan of another order shows nothing of this order", async () => {
  const { sent } = await follow();
  await check("unreachable");
  await check("seen", { bound: false });
  expect(sent).toEqual(["ConnectionError"]);
});

test("after the last check there is no watch to end", async () => {
  const { unfollow } = await follow();
  await check("seen", { bound: true, done: true });
  unfollow();
  expect([...watched.keys()], "it is over already").toEqual(["c"]);
});

test("followers are counted, each leaves once, and the watch ends with the last one", async () => {
  const [one, two] = [await follow(), await follow()];
  const other = await follow({ loanId: "d" });
  expect(stream.followers).toBe(3);
  one.unfollow();
  one.unfollow();
  expect(stream.followers).toBe(2);
  expect([...watched.keys()]).toEqual(["c", "d"]);
  two.unfollow();
  expect([...watched.keys()]).toEqual(["d"]);
  other.unfollow();
  expect([stream.followers, watched.size]).toEqual([0, 0]);
});

test("nothing is read for followers that have left", async () => {
  const [one, other] = [await follow(), await follow({ loanId: "d" })];
  one.unfollow();
  reads = [];
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  await settled();
  expect(reads, "another one is there").toEqual([ORDER]);
  other.unfollow();
  bus.publish({ topic: "order", id: ORDER, version: 3 });
  await settled();
  expect(reads).toEqual([ORDER]);
});

test("a loan's presenter is the network of its first subscriber, or of its first subscriber with the order's key", async () => {
  const without = await follow({ address: "192.0.2.1" });
  expect(presenterOf()).toEqual({ client: "192.0.2.1", holdsKey: false });
  await follow({ address: "192.0.2.2" });
  expect(presenterOf()).toEqual({ client: "192.0.2.1", holdsKey: false });
  const own = await follow({ address: "2001:db8:1:2::3", holdsKey: true });
  expect(presenterOf()).toEqual({ client: "2001:db8:1:2", holdsKey: true });
  own.unfollow();
  without.unfollow();
  expect(presenterOf()).toEqual({ client: "192.0.2.2", holdsKey: false });
});

test("no watch starts for a follower that left while its order was read", async () => {
  const sent: unknown[] = [];
  const follower: Follower = {
    holdsKey: false,
    address: "192.0.2.1",
    rank: 0,
    deliver: (message) => sent.push(message),
  };
  stream.follow({ orderId: ORDER, loanId: "c", holdsKey: false }, follower)();
  await settled();
  expect([watched.size, sent.length]).toEqual([0, 0]);
});

test("a second follower is sent the known order even while the database cannot be read", async () => {
  await follow();
  await check("seen", { bound: true });
  await check("unreachable", { bound: true });
  unreadable = true;
  expect((await follow()).sent).toEqual([1, "ConnectionError"]);
  expect(errors).toEqual(["Error: the database cannot be read"]);
});

test("a second follower is sent the order once, in its newest version", async () => {
  await follow();
  await check("seen", { bound: true });
  expect((await follow()).sent).toEqual([1]);
  versions.set(ORDER, 2);
  expect((await follow()).sent).toEqual([1, 2]);
});

test("a second follower of an unknown order is sent OrderNotFound after the read", async () => {
  await follow({ orderId: idOf(9) });
  const { sent } = await follow({ orderId: idOf(9) });
  expect(sent.every((kind) => kind === "OrderNotFound")).toBe(true);
  expect(sent.length).toBeGreaterThan(0);
  expect(reads).toHaveLength(2);
});

test("an audience that could not be opened while the database was down is opened when it is back", async () => {
  unreadable = true;
  const { sent } = await follow();
  expect([sent, watched.size]).toEqual([[], 0]);
  expect(errors).toHaveLength(1);
  unreadable = false;
  vi.advanceTimersByTime(60_000);
  await settled();
  await check("seen", { bound: true });
  expect(sent).toEqual([1]);
});

test("a follower of an order that is stored later is sent it then", async () => {
  const { sent } = await follow({ orderId: idOf(2) });
  versions.set(idOf(2), 1);
  vi.advanceTimersByTime(60_000);
  await settled();
  await check("unreachable");
  await check("seen", { bound: true });
  expect(sent).toEqual(["OrderNotFound", "ConnectionError", 1]);
});

test("after a gap in the bus the changed orders are read, and no watch starts twice", async () => {
  const { sent } = await follow();
  await check("seen", { bound: true });
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

test("every minute all followed orders are compared with what is stored, 500 at a time", async () => {
  for (let order = 1; order <= 501; order += 1) await follow({ orderId: idOf(order) });
  await follow({ orderId: "none" });
  vi.advanceTimersByTime(59_999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  await settled();
  expect(asked).toEqual([500, 1]);
});

test("a comparison that fails is reported, and the next one is made", async () => {
  await follow();
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
  await follow();
  reads = [];
  bus.publish({ topic: "catalogue" });
  bus.publish({ topic: "order", id: idOf(2), version: 5 });
  await settled();
  expect([reads, asked]).toEqual([[], []]);
});

test("a closed stream reads nothing", async () => {
  await follow();
  reads = [];
  stream.close();
  bus.publish({ topic: "order", id: ORDER, version: 2 });
  vi.advanceTimersByTime(120_000);
  await settled();
  expect([reads, asked]).toEqual([[], []]);
});
