import { beforeEach, expect, test } from "vitest";
import {
  anAddress,
  anOrder,
  aStoredOrder,
  noEvents,
} from "../../../../../../test/harness/builders.ts";
import { sqlite } from "../../../../../../test/harness/databases.ts";
import { kindOf } from "../../../../../../test/harness/outcomes.ts";
import type { Database } from "../../../platform/database/database.ts";
import { createInProcessBus } from "../../../platform/events/bus.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { Stock } from "../../catalogue/index.ts";
import type { Order } from "../order.ts";
import { findOrder, listEvents } from "../order-repository.ts";
import { createPlaceOrder, insertOrders, type PlaceOrder } from "./place-order.ts";

let database: Database;
let placeOrder: PlaceOrder;
/** The ids of the items that were read, by transaction. */
let asked: string[][];
/** The number of ids created. */
let ids: number;

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const prices = new Map([
  ["mug", { name: "Mug", price: 1_250, stock: null }],
  ["pot", { name: "Pot", price: 4_500, stock: null }],
]);
const uncounted: Stock = {
  read: async () => prices,
  lock: async () => {
    throw new Error("items that are not counted are not locked");
  },
  take: async () => {},
  lockCounted: async () => {},
  restock: async () => new Set(),
};

beforeEach(async () => {
  const testDatabase = await sqlite.newShopDatabase();
  database = await testDatabase.open();
  asked = [];
  ids = 0;
  placeOrder = createPlaceOrder({
    database,
    emitEvents: noEvents,
    bus: createInProcessBus(),
    stock: {
      ...uncounted,
      read: async (_unit, ids) => {
        asked.push([...ids]);
        return prices;
      },
    },
    now: () => 5_000,
    newId: () => {
      ids += 1;
      return idOf(ids);
    },
  });
  return async () => {
    await database.close();
    await testDatabase.remove();
  };
});

const items = [
  { item_id: "mug", quantity: 2 },
  { item_id: "pot", quantity: 1 },
];
const body = anOrder({ items, billing_address: anAddress({ city: "Ockham" }) });
const order: Order = {
  ...aStoredOrder({
    id: idOf(1),
    items: [
      { id: "mug", name: "Mug", price: 1_250, quantity: 2 },
      { id: "pot", name: "Pot", price: 4_500, quantity: 1 },
    ],
    total_price: 7_000,
    created_at: 5_000,
  }),
  number: "K-10001",
};

test("an order is stored as it is returned, with current prices and its first event", async () => {
  expect(await placeOrder({ body })).toEqual({ kind: "placed", order });
  expect(await findOrder(database.db, idOf(1))).toEqual(order);
  expect(await listEvents(database.db, idOf(1))).toEqual([
    {
      kind: "placed",
      from_status: null,
      to_status: "Pending",
      by: "customer",
      by_name: null,
      data: null,
      reason: null,
      at: 5_000,
    },
  ]);
});

test("an item that is not for sale is reported, and nothing is stored", async () => {
  const unknown = { item_id: "none", quantity: 1 };
  expect(
    await placeOrder({ body: anOrder({ items: [...items, unknown] }), idempotencyKey: "k" }),
  ).toEqual(
    new Refusal("invalid", {
      errors: [{ path: "items.2.item_id", message: "This item is not available any more" }],
    }),
  );
  expect(await findOrder(database.db, idOf(1))).toBeUndefined();
  expect(await placeOrder({ body, idempotencyKey: "k" }), "its key is free").toMatchObject({
    kind: "placed",
  });
});

test("a repeated request gets the first answer, even if its order has changed since", async () => {
  await placeOrder({ body, idempotencyKey: "k" });
  await database.db.updateTable("orders").set({ status: "PaymentProcessed" }).execute();
  expect(await placeOrder({ body, idempotencyKey: "k" })).toEqual({ kind: "repeated", order });
  expect(await placeOrder({ body, idempotencyKey: "other" })).toMatchObject({ kind: "placed" });
  expect(await placeOrder({ body })).toMatchObject({ kind: "placed" });
  expect(ids).toBe(3);
});

test("a repeated request returns a cancelled order as cancelled", async () => {
  await placeOrder({ body, idempotencyKey: "k" });
  await database.db.updateTable("orders").set({ status: "Cancelled" }).execute();
  expect(await placeOrder({ body, idempotencyKey: "k" })).toMatchObject({
    kind: "repeated",
    order: { status: "Cancelled" },
  });
});

test("a key with another body is refused", async () => {
  await placeOrder({ body, idempotencyKey: "k" });
  expect(await placeOrder({ body: anOrder(), idempotencyKey: "k" })).toMatchObject({
    code: "idempotency_conflict",
  });
  expect(ids).toBe(1);
});

test("concurrent requests share a transaction, and those with the same key place one order", async () => {
  const outcomes = await Promise.all([
    placeOrder({ body, idempotencyKey: "k" }),
    placeOrder({ body, idempotencyKey: "k" }),
    placeOrder({ body: anOrder(), idempotencyKey: "k" }),
    placeOrder({ body }),
    placeOrder({ body: anOrder({ items: [{ item_id: "none", quantity: 1 }] }) }),
  ]);
  expect(outcomes.map(kindOf)).toEqual([
    "placed",
    "repeated",
    "idempotency_conflict",
    "placed",
    "invalid",
  ]);
  expect(asked.map((asked) => asked.sort())).toEqual([["moka-pot", "mug", "none", "pot"]]);
  expect(ids).toBe(2);
});

test("without valid orders nothing is stored", async () => {
  await database.inTransaction((unit) => insertOrders(unit, []));
  expect(await database.db.selectFrom("orders").selectAll().execute()).toEqual([]);
});
