import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAddress, aStoredOrder } from "../../../../../test/harness/builders.ts";
import type { Database } from "../../platform/database/database.ts";
import { openSqlite } from "../../platform/database/sqlite.ts";
import { listOrders } from "./list-orders.ts";
import type { Cursor, OrderFilter } from "./order-filter.ts";
import { findOrder, findOrders, findState, findStates, listEvents } from "./order-repository.ts";
import { insertOrders } from "./place-order.ts";

let folder: string;
let database: Database;

const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;
const orders = [1, 2, 3, 4].map((number) =>
  aStoredOrder({
    id: idOf(number),
    status: number === 4 ? "Shipped" : "Pending",
    version: number,
    customer_name: `Customer ${number}`,
    shipping_address: anAddress({ city: `City ${number}` }),
    total_price: number * 100,
    // Orders 2 and 3 were placed in the same millisecond.
    created_at: number === 3 ? 2 : number,
    items: [
      { id: "z", name: "Last letter", price: number * 10, quantity: 1 },
      { id: "a", name: "First letter", price: number * 5, quantity: 18 },
    ],
  }),
);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  database = openSqlite(join(folder, "shop.db"));
  const placed = orders.map((order) => ({ order, idempotency: undefined }));
  await database.inTransaction((unit) => insertOrders(unit, placed));
  const more = { order_id: idOf(1), kind: "moved", by: "staff", reason: "why", at: 9 };
  await database.db
    .insertInto("order_events")
    .values([
      { ...more, version: 3, from_status: "PaymentProcessed", to_status: "Cancelled" },
      { ...more, version: 2, from_status: "Pending", to_status: "PaymentProcessed" },
    ])
    .execute();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test("orders are read as they were stored, with their lines in order and with numbers", async () => {
  const second = { ...orders[1], number: "K-10002" };
  expect(await findOrder(database.db, idOf(2))).toEqual(second);
  expect(await findOrder(database.db, idOf(9))).toBeUndefined();
  const found = await findOrders(database.db, [idOf(3), idOf(9), idOf(1)]);
  expect(found).toEqual(
    new Map([
      [idOf(1), { ...orders[0], number: "K-10001" }],
      [idOf(3), { ...orders[2], number: "K-10003" }],
    ]),
  );
});

test("a failed payment attempt is read back", async () => {
  await database.db
    .updateTable("orders")
    .set({ attempt_failed: 1 })
    .where("id", "=", idOf(4))
    .execute();
  expect(await findOrder(database.db, idOf(4))).toEqual({
    ...orders[3],
    number: "K-10004",
    payment_attempt_failed: true,
  });
});

test("the states of orders are read without their lines", async () => {
  const state = { id: idOf(2), status: "Pending", version: 2, total: 200, createdAt: 2 };
  expect(await findState(database.db, idOf(2))).toEqual(state);
  expect(await findState(database.db, idOf(9))).toBeUndefined();
  expect([...(await findStates(database.db, [idOf(2), idOf(4), idOf(9)])).keys()].sort()).toEqual([
    idOf(2),
    idOf(4),
  ]);
});

test("the list of orders is paged newest first, with each order once", async () => {
  const list = async (filter: OrderFilter, after?: Extract<Cursor, { by: "time" }>, limit = 10) => {
    const listed = await listOrders(database.db, filter, { cursor: after, limit });
    return listed.map(({ id }) => Number(id[7]));
  };
  const at = (created_at: number, n: number) => ({ by: "time" as const, created_at, id: idOf(n) });
  expect(await list({})).toEqual([4, 3, 2, 1]);
  expect(await list({}, undefined, 2)).toEqual([4, 3]);
  expect(await list({}, at(2, 3))).toEqual([2, 1]);
  expect(await list({}, at(2, 2))).toEqual([1]);
  expect(await list({ statuses: ["Pending"] })).toEqual([3, 2, 1]);
  expect(await list({ statuses: ["Pending"] }, at(2, 3), 1)).toEqual([2]);
  expect(await list({ from: 2 })).toEqual([4, 3, 2]);
  expect(await list({ before: 2 })).toEqual([1]);
  expect(await listOrders(database.db, {}, { limit: 1 })).toEqual([
    {
      id: idOf(4),
      number: "K-10004",
      status: "Shipped",
      customer_name: "Customer 4",
      customer_email: expect.any(String),
      total_price: 400,
      created_at: 4,
      cursor: at(4, 4),
    },
  ]);
});

test("the list of orders is sorted by time, not by id", async () => {
  const placedAt = (created_at: number) =>
    database.db.updateTable("orders").set({ created_at }).where("id", "=", idOf(4)).execute();
  await placedAt(0);
  const ids = (await listOrders(database.db, {}, { limit: 10 })).map(({ id }) => id);
  expect(ids).toEqual([3, 2, 1, 4].map(idOf));
  await placedAt(4);
});

test("the events of one order are listed oldest first", async () => {
  const common = { by_name: null, data: null };
  expect(await listEvents(database.db, idOf(1))).toEqual([
    {
      ...common,
      kind: "placed",
      from_status: null,
      to_status: "Pending",
      by: "customer",
      reason: null,
      at: 1,
    },
    {
      ...common,
      kind: "moved",
      from_status: "Pending",
      to_status: "PaymentProcessed",
      by: "staff",
      reason: "why",
      at: 9,
    },
    {
      ...common,
      kind: "moved",
      from_status: "PaymentProcessed",
      to_status: "Cancelled",
      by: "staff",
      reason: "why",
      at: 9,
    },
  ]);
});
