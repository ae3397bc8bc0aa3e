import { expect, test } from "vitest";
import {
  firstList,
  type OrderList,
  type OrderRow,
  type PageRequest,
  rereadList,
  withPage,
  withReread,
} from "./order-list.ts";

function row(time: number, changes: Partial<OrderRow> = {}): OrderRow {
  const id = `order-${String(time).padStart(5, "0")}`;
  const customer = { customer_name: "Ada", customer_email: "ada@example.org" };
  return { id, status: "Pending", ...customer, total_price: 4_500, created_at: time, ...changes };
}

/** A shop that lists its pending orders. */
function aShop(count: number) {
  let stored = Array.from({ length: count }, (_, index) => row(index + 1));
  const requests: PageRequest[] = [];
  const change = (time: number, changes: Partial<OrderRow>) => {
    stored = stored.map((order) => (order.created_at === time ? { ...order, ...changes } : order));
  };
  const read = async (request: PageRequest) => {
    requests.push(request);
    const { cursor, limit = 50, ids } = request;
    const after = cursor ? Number(cursor) : Number.POSITIVE_INFINITY;
    const listed = stored
      .filter((order) => order.status === "Pending" && order.created_at < after)
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .toSorted((one, other) => other.created_at - one.created_at);
    const orders = listed.slice(0, limit);
    const last = listed.length > limit ? orders.at(-1) : undefined;
    return { orders, next_cursor: last === undefined ? null : String(last.created_at) };
  };
  /** Loads so many pages. */
  async function load(pages: number): Promise<OrderList> {
    let list = firstList(await read({}), 0);
    for (let page = 1; page < pages; page += 1)
      list = withPage(list, await read({ cursor: list.next_cursor }));
    requests.length = 0;
    return list;
  }
  const place = (...times: number[]) => {
    stored = [...stored, ...times.map((time) => row(time))];
  };
  return { requests, change, read, load, place };
}

const times = ({ orders }: OrderList) => orders.map(({ created_at }) => created_at);
const countDown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n);

async function reread(
  list: OrderList,
  changed: readonly number[] | "all",
  { read }: Pick<ReturnType<typeof aShop>, "read">,
) {
  const ids = changed === "all" ? changed : new Set(changed.map((time) => row(time).id));
  return withReread(list, await rereadList(list, ids, read), 1);
}

test("with 2,000 orders loaded, a change of one of them reads that one", async () => {
  const shop = aShop(2_500);
  const list = await shop.load(40);
  shop.change(900, { customer_name: "Grace" });
  const next = await reread(list, [900], shop);
  expect(shop.requests).toEqual([{ ids: [row(900).id], limit: 100 }]);
  expect(times(next)).toEqual(countDown(2_500, 501));
  expect(next.orders.find(({ created_at }) => created_at === 900)?.customer_name).toBe("Grace");
});

test("named orders leave the list, come into it at their place, and wait for more to be shown if they are older", async () => {
  const shop = aShop(200);
  for (const time of [150, 180, 20]) shop.change(time, { status: "Shipped" });
  const list = await shop.load(2);
  for (const time of [150, 20]) shop.change(time, { status: "Pending" });
  shop.change(199, { status: "Shipped" });
  shop.place(201);
  const next = await reread(list, [150, 20, 199, 201], shop);
  expect(times(next)).toEqual([201, 200, ...countDown(198, 181), ...countDown(179, 99)]);
});

test("after a lost connection everything that is loaded is read again, in few requests", async () => {
  const shop = aShop(2_500);
  shop.change(1_000, { status: "Shipped" });
  const list = await shop.load(40);
  shop.change(1_000, { status: "Pending" });
  shop.change(600, { status: "Shipped" });
  shop.place(2_501, 2_502);
  const next = await reread(list, "all", shop);
  expect(shop.requests.length).toBeLessThanOrEqual(12);
  expect(times(next)).toEqual([...countDown(2_502, 601), ...countDown(599, 500)]);
  expect(next.missed).toBe(0);
});

test("when too many are new, they are counted, and what is loaded is right all the same", async () => {
  const shop = aShop(60);
  const list = await shop.load(1);
  shop.change(30, { status: "Shipped" });
  shop.change(31, { customer_name: "Grace" });
  shop.place(...countDown(3_000, 61));
  const next = await reread(list, "all", shop);
  expect(shop.requests).toHaveLength(3);
  expect(times(next)).toEqual([...countDown(60, 31), ...countDown(29, 11)]);
  expect(next.orders.at(29)?.customer_name).toBe("Grace");
  expect(next.missed).toBe(100);
  shop.requests.length = 0;
  expect((await reread(next, "all", shop)).missed).toBe(100);
  expect(shop.requests).toHaveLength(1);
});

test("more changes than can be named read the list again", async () => {
  const shop = aShop(300);
  const list = await shop.load(2);
  await reread(list, countDown(300, 100), shop);
  expect(shop.requests.every(({ ids }) => ids === undefined)).toBe(true);
});

test("a list without an announced change is read anew", async () => {
  const shop = aShop(10);
  const list = await shop.load(1);
  shop.place(11);
  expect(times(await reread(list, [], shop))).toEqual(countDown(11, 1));
});

test("a page that was loaded during a reading stays", async () => {
  const shop = aShop(150);
  const list = await shop.load(1);
  const answer = await rereadList(list, new Set([row(140).id]), shop.read);
  const longer = withPage(list, await shop.read({ cursor: list.next_cursor }));
  expect(times(withReread(longer, answer, 1))).toEqual(countDown(150, 51));
});

test("a list that was loaded to its end takes older orders too", async () => {
  const shop = aShop(20);
  shop.change(1, { status: "Shipped" });
  const list = await shop.load(1);
  shop.change(1, { status: "Pending" });
  expect(times(await reread(list, [1], shop))).toEqual(countDown(20, 1));
});

test("an order that two pages have is listed once, as it was read last", async () => {
  const list = firstList({ orders: [row(2), row(1)], next_cursor: "1" }, 0);
  const { orders } = withPage(list, {
    orders: [row(1, { status: "Shipped" }), row(0)],
    next_cursor: null,
  });
  expect(orders.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "order-00002 Pending",
    "order-00001 Shipped",
    "order-00000 Pending",
  ]);
});

test("a new order is above those of the same second, and its own page does not list it again", async () => {
  const second = { created_at: 5 };
  const list = firstList({ orders: [row(9, second), row(8, second)], next_cursor: "x" }, 0);
  const answer = { asked: new Set(["order-00007"]), answered: [row(7, second)], missed: 0 };
  const next = withReread(list, answer, 1);
  const ids = ({ orders }: OrderList) => orders.map(({ id }) => Number(id.slice(6)));
  expect(ids(next)).toEqual([7, 9, 8]);
  const page = { orders: [row(7, second), row(1)], next_cursor: null };
  expect(ids(withPage(next, page))).toEqual([7, 9, 8, 1]);
});

test("of many new orders of one second, those that were told last are the first in the list", async () => {
  const list = await aShop(1).load(1);
  const placed = Array.from({ length: 130 }, (_, number) => row(9, { id: `new-${number}` }));
  // The shop lists the newest first, also within a second.
  const read = async ({ ids = [] }: PageRequest) => ({
    orders: placed.filter(({ id }) => ids.includes(id)).toReversed(),
    next_cursor: null,
  });
  const next = withReread(
    list,
    await rereadList(list, new Set(placed.map(({ id }) => id)), read),
    1,
  );
  expect(next.orders.slice(0, 130).map(({ id }) => id)).toEqual(
    placed.map(({ id }) => id).toReversed(),
  );
});
