import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { createEditCatalogue } from "../../apps/server/src/modules/catalogue/edit-catalogue.ts";
import {
  listItems,
  lockItems,
  storeItems,
} from "../../apps/server/src/modules/catalogue/item-repository.ts";
import { createStock, findLowItems } from "../../apps/server/src/modules/catalogue/stock.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import type { DomainEvent } from "../../apps/server/src/platform/outbox/emit-events.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { anOrder, aStoredItem, aStoredOrder } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { kindOf } from "../harness/outcomes.ts";
import { useCasesOn } from "../harness/use-cases.ts";
import { waitFor } from "../harness/wait-for.ts";

const staff = { kind: "staff", name: "Ada" } as const;
const of = (...lines: (readonly [id: string, quantity: number])[]) =>
  anOrder({ items: lines.map(([item_id, quantity]) => ({ item_id, quantity })) });

describe.each(databaseKinds)("stock on $name", (kind) => {
  const shop = useDatabase(kind);

  /** Stores an item with so many pieces. */
  async function counted(
    stock: number | null,
    changes: Partial<ReturnType<typeof aStoredItem>> = {},
  ) {
    const item = aStoredItem({ stock, ...changes });
    await shop.within(async (unit) => {
      await unit.lock("catalogue");
      await storeItems(unit, [item]);
    });
    return item.id;
  }
  const stockOf = async (id: string) => {
    const item = await shop.database.db
      .selectFrom("items")
      .select("stock")
      .where("id", "=", id)
      .executeTakeFirst();
    return item?.stock;
  };
  const takenOf = async (id: string) => {
    const lines = await shop.database.db
      .selectFrom("order_lines")
      .select("taken")
      .where("item_id", "=", id)
      .orderBy("taken")
      .execute();
    return lines.map(({ taken }) => taken);
  };
  const cancel = (orderId: string, on: Database = shop.database) =>
    on.inTransaction((unit) =>
      useCasesOn(on).changeStatuses(unit, [{ orderId, to: "Cancelled", by: staff }]),
    );
  const kindsOf = (outcomes: readonly { kind: string }[]) => outcomes.map(kindOf);

  test("is taken by an order and noted on its line; an item without a count never runs out", async () => {
    const [few, endless] = [await counted(5), await counted(null)];
    const { placeOrder } = useCasesOn(shop.database);
    expect(await placeOrder({ body: of([few, 2], [endless, 9_999]) })).toMatchObject({
      kind: "placed",
    });
    expect([await stockOf(few), await stockOf(endless)]).toEqual([3, null]);
    expect([await takenOf(few), await takenOf(endless)]).toEqual([[2], [0]]);
  });

  test("that is too small refuses the whole cart, names what is left, and stores no idempotency key", async () => {
    const [two, none, many] = [
      await counted(2, { name: "Two" }),
      await counted(0, { name: "None" }),
      await counted(9),
    ];
    const { placeOrder } = useCasesOn(shop.database);
    const request = { body: of([two, 3], [none, 1], [many, 1]), idempotencyKey: randomUUID() };
    expect(await placeOrder(request)).toEqual(
      new Refusal("out_of_stock", {
        items: [
          { item_id: two, name: "Two", left: 2 },
          { item_id: none, name: "None", left: 0 },
        ],
      }),
    );
    expect([await stockOf(two), await stockOf(none), await stockOf(many)]).toEqual([2, 0, 9]);
    await shop.within(({ db }) =>
      db.updateTable("items").set({ stock: 4 }).where("id", "in", [two, none]).execute(),
    );
    const { kind } = await placeOrder(request);
    expect(kind, "the same request, when there are enough").toBe("placed");
    expect((await placeOrder(request)).kind).toBe("repeated");
    expect([await stockOf(two), await stockOf(none), await stockOf(many)]).toEqual([1, 3, 8]);
  });

  test("of ten pieces is sold to exactly ten of 200 customers, and the refused orders fail no others", async () => {
    const [wanted, endless] = [await counted(10), await counted(null)];
    const [one, two] = [
      useCasesOn(shop.database).placeOrder,
      useCasesOn(shop.secondConnection).placeOrder,
    ];
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? one : two)({ body: of([wanted, 1]) }),
      ),
    );
    const others = await Promise.all([
      ...Array.from({ length: 20 }, () => one({ body: of([endless, 1]) })),
      ...Array.from({ length: 20 }, () => one({ body: of([wanted, 1]) })),
    ]);
    expect(kindsOf(outcomes).filter((outcome) => outcome === "placed")).toHaveLength(10);
    expect(kindsOf(outcomes).filter((outcome) => outcome === "out_of_stock")).toHaveLength(190);
    expect(kindsOf(others)).toEqual([
      ...Array(20).fill("placed"),
      ...Array(20).fill("out_of_stock"),
    ]);
    expect(await stockOf(wanted)).toBe(0);
    expect(await takenOf(wanted)).toEqual(Array(10).fill(1));
  });

  test("is restocked once, however often an order is cancelled at the same time", async () => {
    const [kept, gone, uncounted] = [await counted(5), await counted(5), await counted(5)];
    const { placeOrder } = useCasesOn(shop.database);
    const outcome = await placeOrder({ body: of([kept, 2], [gone, 1], [uncounted, 1]) });
    if (outcome.kind !== "placed") throw new Error(`the order was answered ${outcome.kind}`);
    await shop.within(async ({ db }) => {
      await db.deleteFrom("items").where("id", "=", gone).execute();
      await db.updateTable("items").set({ stock: null }).where("id", "=", uncounted).execute();
    });
    await Promise.all(
      [shop.database, shop.secondConnection, shop.database].map((on) =>
        cancel(outcome.order.id, on),
      ),
    );
    await cancel(outcome.order.id);
    expect([await stockOf(kept), await stockOf(gone), await stockOf(uncounted)]).toEqual([
      5,
      undefined,
      null,
    ]);
    expect(await takenOf(kept)).toEqual([0]);
  });

  test("is not restocked by an order that keeps its pieces", async () => {
    const id = await counted(5);
    const outcome = await useCasesOn(shop.database).placeOrder({ body: of([id, 2]) });
    if (outcome.kind !== "placed") throw new Error(`the order was answered ${outcome.kind}`);
    await shop.within((unit) =>
      useCasesOn(shop.database).changeStatuses(unit, [
        { orderId: outcome.order.id, to: "PaymentProcessed", by: staff },
        { orderId: outcome.order.id, to: "Shipped", by: staff },
      ]),
    );
    await expect(cancel(outcome.order.id)).resolves.toMatchObject([{ code: "transition_refused" }]);
    expect(await stockOf(id)).toBe(3);
  });

  /** Takes and restocks pieces of an item, and collects the events. */
  function movesOf(id: string) {
    const emitted: DomainEvent[] = [];
    const stock = createStock({
      bus: createInProcessBus(),
      emitEvents: async (_unit, some) => void emitted.push(...some),
    });
    const pieces = (count: number) => new Map([[id, count]]);
    return {
      emitted,
      take: (count: number) => shop.within((unit) => stock.take(unit, pieces(count))),
      restock: (count: number) => shop.within((unit) => stock.restock(unit, pieces(count))),
    };
  }

  test("that staff set low is reported with the next sale, once", async () => {
    const { low } = await findLowItems(shop.database.db);
    const id = await counted(2);
    expect(await findLowItems(shop.database.db)).toMatchObject({ low: low + 1 });
    const { take, emitted } = movesOf(id);
    await take(1);
    expect(emitted).toEqual([{ type: "stock.low", subject: id, data: { stock: 1 } }]);
    await anEditor(shop.database).patch(id, { price: 100 });
    await take(1);
    expect(emitted).toHaveLength(1);
    await anEditor(shop.database).patch(id, { stock: 3 });
    await take(1);
    expect(emitted.at(-1)).toEqual({ type: "stock.low", subject: id, data: { stock: 2 } });
  });

  test("emits a low-stock event once, and again only after a refill", async () => {
    const id = await counted(5);
    const { take, restock, emitted } = movesOf(id);
    await take(1);
    expect(emitted).toEqual([]);
    await take(1);
    expect(emitted).toEqual([{ type: "stock.low", subject: id, data: { stock: 3 } }]);
    await take(1);
    await restock(3);
    await take(3);
    expect(emitted, "after a cancellation of a few").toHaveLength(1);
    await restock(5);
    await take(7);
    expect(emitted.at(-1)).toEqual({ type: "stock.low", subject: id, data: { stock: 0 } });
    expect(emitted).toHaveLength(2);
  });

  test("publishes only changes that customers can see", async () => {
    const id = await counted(13);
    const bus = createInProcessBus();
    const topics: string[] = [];
    bus.subscribe(({ topic }) => topics.push(topic));
    const stock = createStock({ bus, emitEvents: async () => {} });
    const take = (count: number) => shop.within((unit) => stock.take(unit, new Map([[id, count]])));
    await take(2);
    expect(topics).toEqual([]);
    await take(1);
    await take(10);
    expect(topics).toEqual(["stock", "stock"]);
    await expect(take(1), "the database's own last check").rejects.toThrow();
    expect(topics).toHaveLength(2);
  });

  test("never deadlocks for carts with the same items in opposite order, while other orders are cancelled", async () => {
    const items = await Promise.all(Array.from({ length: 12 }, () => counted(100_000)));
    const forwards = of(...items.map((id) => [id, 1] as const));
    const backwards = of(...items.toReversed().map((id) => [id, 1] as const));
    const before = await deadlocks();
    const cancelled: Promise<unknown>[] = [];
    const place = async (on: Database, body: typeof forwards) => {
      const outcome = await useCasesOn(on).placeOrder({ body });
      if (outcome.kind !== "placed") throw new Error(`the order was answered ${outcome.kind}`);
      cancelled.push(cancel(outcome.order.id, on));
    };
    for (let round = 0; round < 15; round += 1) {
      await Promise.all([
        place(shop.database, forwards),
        place(shop.secondConnection, backwards),
        place(shop.secondConnection, forwards),
        place(shop.database, backwards),
      ]);
    }
    await Promise.all(cancelled);
    expect(await Promise.all(items.map(stockOf))).toEqual(items.map(() => 100_000));
    expect(await deadlocks()).toBe(before);
  });

  /** How many deadlocks PostgreSQL has resolved in the database of the test. */
  async function deadlocks(): Promise<unknown> {
    if (kind.name === "SQLite") return 0;
    const [row] = await shop.testDatabase.run(
      "SELECT pg_stat_force_next_flush(), deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    );
    return Reflect.get(Object(row), "deadlocks");
  }

  test("is changed by staff without losing the pieces that concurrent orders take", async () => {
    const items = await Promise.all(Array.from({ length: 6 }, () => counted(1_000)));
    const body = of(...items.map((id) => [id, 1] as const));
    const before = await deadlocks();
    const edit = anEditor(shop.secondConnection);
    const [first = "", second = ""] = items;
    for (let round = 0; round < 10; round += 1) {
      const placing = Array.from({ length: 5 }, () =>
        useCasesOn(shop.database).placeOrder({ body }),
      );
      await edit.importItems(items.toReversed().map((id) => ({ id, price: 100 + round })));
      await edit.importItems(items.map((id) => ({ id })));
      await edit.patch(first, { name: `Round ${round}` });
      expect((await Promise.all(placing)).map(({ kind }) => kind)).toEqual(Array(5).fill("placed"));
    }
    expect(await Promise.all(items.map(stockOf))).toEqual(items.map(() => 950));
    expect(await deadlocks()).toBe(before);
    await edit.patch(first, { stock: 7 });
    await edit.importItems([{ id: second, stock: null }]);
    expect(await Promise.all([first, second].map(stockOf))).toEqual([7, null]);
  });

  const anEditor = (database: Database) =>
    createEditCatalogue({
      database,
      bus: createInProcessBus(),
      listPictures: async () => new Set(),
      listingCaughtUp: async () => {},
    });

  test.skipIf(kind.name === "SQLite")(
    "can be taken while an import waits for uncounted items",
    async () => {
      const few = await counted(5, { id: `a-${randomUUID()}` });
      const endless = await counted(null, { id: `b-${randomUUID()}` });
      const held = Promise.withResolvers<void>();
      const letGo = Promise.withResolvers<void>();
      const holder = shop.within(async (unit) => {
        await lockItems(unit, [endless]);
        held.resolve();
        await letGo.promise;
      });
      await held.promise;
      const importing = anEditor(shop.secondConnection).importItems(
        [few, endless].map((id) => ({ id, price: 777 })),
      );
      await vi.waitFor(async () => {
        expect(await shop.testDatabase.run("SELECT 1 FROM pg_locks WHERE NOT granted")).not.toEqual(
          [],
        );
      });
      const placing = useCasesOn(shop.database).placeOrder({ body: of([few, 2]) });
      const first = await Promise.race([placing, importing]).finally(letGo.resolve);
      await holder;
      expect(first).toMatchObject({ kind: "placed" });
      expect(await importing).toMatchObject({ changed: 2 });
      expect(await stockOf(few)).toBe(3);
    },
  );

  test("is sold while a catalogue of 5,000 items is imported", { timeout: 120_000 }, async () => {
    const [few, endless] = [await counted(10_000), await counted(null)];
    const rest = { name: "Thing", description: "A thing.", image_url: "https://cdn.example/a.png" };
    const others = Array.from({ length: 4_998 }, (_, index) => ({ id: `many-${index}`, ...rest }));
    const file = [...others.map(({ id }) => id), few, endless];
    const edit = anEditor(shop.secondConnection);
    expect(await edit.importItems(others.map((item) => ({ ...item, price: 100 })))).toMatchObject({
      added: 4_998,
    });
    let isDone = false;
    const importing = edit
      .importItems(file.toReversed().map((id) => ({ id, price: 200 })))
      .finally(() => (isDone = true));
    const placed: string[] = [];
    const { placeOrder } = useCasesOn(shop.database);
    while (!isDone) {
      const outcomes = await Promise.all(
        [few, endless].map((id) => placeOrder({ body: of([id, 1]) })),
      );
      placed.push(...kindsOf(outcomes));
    }
    expect(await importing).toMatchObject({ changed: 5_000 });
    expect(new Set(placed)).toEqual(new Set(["placed"]));
    expect(await stockOf(few)).toBe(10_000 - placed.length / 2);
    const first = await listItems(shop.database.db);
    expect(first.slice(-5_000).map(({ id }) => id)).toEqual(file.toReversed());
  });

  const expecting = (total: number, ...prices: number[]) => ({ expected: { total, prices } });

  test("and prices as the customer saw them place the order; other ones are answered line by line", async () => {
    const [pot, mug] = [
      await counted(3, { name: "Pot", price: 4_500 }),
      await counted(null, { name: "Mug", price: 1_000 }),
    ];
    const { placeOrder } = useCasesOn(shop.database);
    const body = of([pot, 2], [mug, 1]);
    const idempotencyKey = randomUUID();
    const refused = await placeOrder({ body, idempotencyKey, ...expecting(9_900, 4_500, 900) });
    expect(refused).toMatchObject({
      code: "price_changed",
      details: {
        expected_total: 9_900,
        total: 10_000,
        items: [],
        lines: [
          {
            item_id: pot,
            name: "Pot",
            quantity: 2,
            available: 2,
            expected_price: 4_500,
            price: 4_500,
          },
          {
            item_id: mug,
            name: "Mug",
            quantity: 1,
            available: 1,
            expected_price: 900,
            price: 1_000,
          },
        ],
      },
    });
    expect(await stockOf(pot)).toBe(3);
    const accepted = await placeOrder({ body, idempotencyKey, expected: { total: 10_000 } });
    expect(accepted.kind, "the same key, with the new total").toBe("placed");
    const repeated = await placeOrder({ body, idempotencyKey, expected: { total: 9_900 } });
    expect(repeated.kind, "an order that was placed is answered whatever its items cost now").toBe(
      "repeated",
    );
    expect(await stockOf(pot)).toBe(1);
  });

  test("that shrank and an item that was hidden count as a changed price if the request has the expected total", async () => {
    const [left, hidden, soldOut] = [
      await counted(1, { name: "Left", price: 100 }),
      await counted(5, { hidden: true }),
      await counted(0, { name: "Sold", price: 300 }),
    ];
    const body = of([left, 2], [hidden, 1], [soldOut, 1]);
    const { placeOrder } = useCasesOn(shop.database);
    expect(await placeOrder({ body, expected: { total: 100 } })).toMatchObject({
      code: "price_changed",
      details: {
        expected_total: 100,
        total: 100,
        items: [
          { item_id: left, name: "Left", left: 1 },
          { item_id: soldOut, name: "Sold", left: 0 },
        ],
        lines: [
          {
            item_id: left,
            name: "Left",
            quantity: 2,
            available: 1,
            expected_price: null,
            price: 100,
          },
          { item_id: hidden, quantity: 1, available: 0, expected_price: null, price: null },
          {
            item_id: soldOut,
            name: "Sold",
            quantity: 1,
            available: 0,
            expected_price: null,
            price: 300,
          },
        ],
      },
    });
    expect(kindOf(await placeOrder({ body }))).toBe("invalid");
  });

  test("is read under its lock: a waiting cart sees what the previous one left", async () => {
    const id = await counted(3);
    const locked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const holder = shop.database.inTransaction(async (unit) => {
      const stock = createStock({ bus: createInProcessBus(), emitEvents: async () => {} });
      await stock.lock(unit, [id]);
      locked.resolve();
      await go.promise;
      await stock.take(unit, new Map([[id, 2]]));
    });
    await locked.promise;
    const waiting = useCasesOn(shop.secondConnection).placeOrder({ body: of([id, 2]) });
    go.resolve();
    await holder;
    expect(await waiting).toMatchObject({
      code: "out_of_stock",
      details: { items: [{ left: 1 }] },
    });
    expect(await stockOf(id)).toBe(1);
  });

  // SQLite has one writer, so no other process can be faster.
  test.skipIf(kind.name === "SQLite")(
    "is not reserved by a request whose idempotency key another process uses first",
    async () => {
      const [id, key] = [await counted(1), randomUUID()];
      const { placeOrder } = useCasesOn(shop.database);
      const outcomes = await shop.secondConnection.inTransaction(async (unit) => {
        const idempotency = { key, bodyHash: "of another body" };
        await insertOrders(unit, [{ order: aStoredOrder(), idempotency }]);
        const both = [
          placeOrder({ body: of([id, 1]), idempotencyKey: key }),
          placeOrder({ body: of([id, 1]) }),
        ];
        await waitFor("the group to wait for the key", async () => {
          return (
            (await shop.testDatabase.run("SELECT 1 FROM pg_locks WHERE NOT granted")).length > 0
          );
        });
        return { both };
      });
      expect(kindsOf(await Promise.all(outcomes.both))).toEqual(["idempotency_conflict", "placed"]);
      expect(await stockOf(id)).toBe(0);
    },
  );

  test.skipIf(kind.name === "SQLite")(
    "is taken once by a request that another process places first, while the rest of its batch is placed",
    async () => {
      const [id, key] = [await counted(5), randomUUID()];
      const here = useCasesOn(shop.database);
      const there = useCasesOn(shop.secondConnection);
      const request = { body: of([id, 1]), idempotencyKey: key };
      const requests = Array.from({ length: 20 }, () => [request, { body: of([id, 1]) }])
        .flat()
        .slice(0, 8);
      const all = [...requests.map(here.placeOrder), ...requests.map(there.placeOrder)];
      const outcomes = await Promise.all(all);
      const withKey = outcomes.filter((_, index) => index % 2 === 0);
      const kinds = kindsOf(withKey);
      expect(kinds.filter((kind) => kind === "placed")).toHaveLength(1);
      expect(kinds.filter((kind) => kind === "repeated")).toHaveLength(7);
      expect(new Set(withKey.map((outcome) => "order" in outcome && outcome.order.id)).size).toBe(
        1,
      );
      expect(kindsOf(outcomes).filter((kind) => kind === "placed")).toHaveLength(5);
      expect(await stockOf(id)).toBe(0);
    },
  );
});
