import { expect, test } from "vitest";
import type { Sorting } from "./order-filter.ts";
import {
  newPage,
  type OrderRow,
  type ReadPage,
  refetchPage,
  type ShownPage,
} from "./stable-rows.ts";

function row(time: number, changes: Partial<OrderRow> = {}): OrderRow {
  const id = `order-${String(time).padStart(5, "0")}`;
  const customer = { customer_name: "Ada", customer_email: "ada@example.org" };
  return { id, status: "Pending", ...customer, total_price: 4_500, created_at: time, ...changes };
}

const countDown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => from - n);

/** A shop that lists its pending orders, 50 on a page. */
function buildShop(...times: number[]) {
  let stored = times.map((time) => row(time));
  const place = (...orders: OrderRow[]) => {
    stored = [...stored, ...orders];
  };
  const change = (time: number, changes: Partial<OrderRow>) => {
    stored = stored.map((order) => (order.created_at === time ? { ...order, ...changes } : order));
  };
  const read: ReadPage = async ({ cursor, ids }) => {
    const after = cursor ? Number(cursor) : Number.POSITIVE_INFINITY;
    const listed = stored
      .filter(({ status, created_at }) => status === "Pending" && created_at < after)
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .toSorted((a, b) => b.created_at - a.created_at);
    const orders = listed.slice(0, 50);
    const last = listed.length > 50 ? orders.at(-1) : undefined;
    return { orders, next_cursor: last === undefined ? null : String(last.created_at) };
  };
  /** Loads the first pages of the list. */
  async function load(count: number): Promise<readonly ShownPage[]> {
    const pages = [newPage(await read({}))];
    while (pages.length < count)
      pages.push(newPage(await read({ cursor: pages.at(-1)?.next_cursor ?? "" })));
    return pages;
  }
  const refetch = (pages: readonly ShownPage[], sorting: Sorting = "newest") =>
    Promise.all(pages.map((page) => refetchPage(page, pages, read, sorting)));
  return { place, change, load, refetch };
}

const times = (pages: readonly ShownPage[]) =>
  pages.flatMap(({ rows }) => rows.map(({ order }) => order.created_at));
const left = (pages: readonly ShownPage[]) =>
  pages.flatMap(({ rows }) => rows.flatMap((row) => (row.hasLeft ? row.order.created_at : [])));

test("a changed order is updated in its row, and an order that leaves the list is marked", async () => {
  const shop = buildShop(...countDown(120, 1));
  const pages = await shop.load(2);
  shop.change(100, { status: "Shipped" });
  shop.change(40, { customer_name: "Grace" });
  const refetched = await shop.refetch(pages);
  expect(times(refetched)).toEqual(countDown(120, 21));
  expect(left(refetched)).toEqual([100]);
  const changed = refetched[1]?.rows.find(({ order }) => order.created_at === 40);
  expect(changed?.order.customer_name).toBe("Grace");
  shop.change(100, { status: "Pending" });
  expect(left(await shop.refetch(refetched))).toEqual([]);
});

test("new orders are counted, but not those below the last row", async () => {
  const shop = buildShop(...countDown(120, 1));
  for (const time of [110, 10]) shop.change(time, { status: "Shipped" });
  const pages = await shop.load(1);
  for (const time of [110, 10]) shop.change(time, { status: "Pending" });
  shop.place(row(121));
  // The list now reaches further down.
  shop.change(115, { status: "Shipped" });
  shop.change(116, { status: "Shipped" });
  const [first] = await shop.refetch(pages);
  expect(first).toMatchObject({ arrived: 2 });
  expect(times(await shop.refetch(pages))).toEqual(times(pages));
});

test("in a list without a next page all new orders are counted", async () => {
  const shop = buildShop(20, 19, 1);
  shop.change(1, { status: "Shipped" });
  const pages = await shop.load(1);
  shop.change(1, { status: "Pending" });
  expect((await shop.refetch(pages))[0]).toMatchObject({ arrived: 1 });
});

test("with the oldest first, new orders are counted once no page is left to show", async () => {
  const shop = buildShop(...countDown(60, 1));
  const oldest = countDown(60, 1)
    .toReversed()
    .map((time) => row(time));
  const complete = [newPage({ orders: oldest, next_cursor: null })];
  const first = [newPage({ orders: oldest.slice(0, 50), next_cursor: "50" })];
  shop.place(row(61));
  expect((await shop.refetch(complete, "oldest"))[0]).toMatchObject({ arrived: 1 });
  expect((await shop.refetch(first, "oldest"))[0]).toMatchObject({ arrived: 0 });
});

test("within a second orders are sorted by id", async () => {
  const shop = buildShop(...countDown(120, 1));
  const pages = await shop.load(1);
  shop.change(75, { status: "Shipped" });
  shop.place(row(71, { id: "order-00071-b" }), row(71, { id: "order-0" }));
  expect((await shop.refetch(pages))[0]).toMatchObject({ arrived: 1 });
});

test("at most one page of new orders is counted", async () => {
  const shop = buildShop(...countDown(60, 1));
  const pages = await shop.load(1);
  shop.place(...countDown(200, 61).map((time) => row(time)));
  const [first] = await shop.refetch(pages);
  expect(first).toMatchObject({ arrived: 50 });
});
