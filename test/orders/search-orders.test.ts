import { orderStatuses } from "@keepsats/domain";
import fc from "fast-check";
import { type KyselyPlugin, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import {
  countOrders,
  MAX_COUNTED,
} from "../../apps/server/src/modules/orders/lists/count-orders.ts";
import { listOrders } from "../../apps/server/src/modules/orders/lists/list-orders.ts";
import {
  type Cursor,
  isListed,
  type OrderFilter,
} from "../../apps/server/src/modules/orders/lists/order-filter.ts";
import { searchedText, wordsOf } from "../../apps/server/src/modules/orders/lists/search-words.ts";
import type { NewOrder } from "../../apps/server/src/modules/orders/order.ts";
import { orderNumber } from "../../apps/server/src/modules/orders/order-number.ts";
import { clearOrder } from "../../apps/server/src/modules/orders/personal-data.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import type { Database, Queries } from "../../apps/server/src/platform/database/database.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { aStoredOrder } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { useCasesOn } from "../harness/use-cases.ts";
import { plansOf } from "../harness/watched-database.ts";

/** The ids of all pages of a list. */
async function idsOf(database: Database, filter: OrderFilter, limit = 200): Promise<string[]> {
  const ids: string[] = [];
  let cursor: Cursor | undefined;
  for (;;) {
    const page = await listOrders(database.db, filter, { cursor, limit });
    ids.push(...page.map(({ id }) => id));
    cursor = page.at(-1)?.cursor;
    if (page.length < limit || cursor === undefined) return ids;
  }
}

const people = ["Ada Lovelace", "Jürgen Müller", "Grace Hopper", "Ada Byron", "O'Brien"];
const items = [
  { id: "moka-pot", name: "Moka Pot", price: 4_500, quantity: 1 },
  { id: "oak-chair", name: "Oak Chair", price: 20_000, quantity: 1 },
  { id: "mug", name: "Kaffeebecher", price: 900, quantity: 1 },
];
const pick = <T>(from: readonly T[], n: number): T => {
  const [found] = from.slice(n % from.length);
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
};

/**
 * The nth of many orders: everything about it recurs with another period, so that all combinations
 * occur.
 */
function manifold(n: number): NewOrder {
  const item = pick(items, n);
  const name = pick(people, n * 7);
  return aStoredOrder({
    customer_name: n === 5 ? "Zoë Unique" : name,
    customer_email: `customer${n}@example.${pick(["org", "com"], n)}`,
    status: n % 500 === 3 ? "Cancelled" : pick(["Pending", "Shipped"], n),
    items: [item],
    total_price: item.price + (n % 11),
    created_at: Math.floor(n / 3) * HOUR,
  });
}

function idsAt(orders: readonly NewOrder[], places: readonly number[]): ReadonlySet<string> {
  return new Set(places.map((place) => pick(orders, place).id));
}

describe.each(databaseKinds)("the lists of orders on $name", (kind) => {
  const shop = useDatabase(kind);
  const MANY = 2_500;
  /** Newest first. */
  let orders: NewOrder[] = [];

  beforeAll(async () => {
    const placed = Array.from({ length: MANY }, (_, n) => manifold(n));
    for (let start = 0; start < MANY; start += 100) {
      const some = placed
        .slice(start, start + 100)
        .map((order) => ({ order, idempotency: undefined }));
      await shop.within((unit) => insertOrders(unit, some));
    }
    orders = placed.toReversed();
  });

  /** The words that the full-text index itself has. */
  async function indexedWords(): Promise<string[]> {
    const { db } = shop.database;
    if (kind.name === "PostgreSQL") {
      const { rows } = await sql<{ word: string }>`
        select word from ts_stat('select words from order_search_index')`.execute(db);
      return rows.map(({ word }) => word);
    }
    await sql`create virtual table if not exists temp.vocabulary
      using fts5vocab('main', 'order_search', 'row')`.execute(db);
    const { rows } = await sql<{ term: string }>`select term from temp.vocabulary`.execute(db);
    return rows.map(({ term }) => term);
  }

  const find = (text: string) => idsOf(shop.database, { text: searchedText(text) });
  const idsWhere = (isWanted: (order: NewOrder) => boolean) =>
    orders.filter(isWanted).map(({ id }) => id);

  test.each(["lovel", "LOVELACE", "ada lovelace", "Lovelace, Ada"])(
    "%j finds Ada Lovelace, newest first",
    async (text) => {
      const expected = idsWhere(({ customer_name }) => customer_name === "Ada Lovelace");
      expect(expected.length).toBeGreaterThan(400);
      expect(await find(text)).toEqual(expected);
    },
  );

  test.each([
    ["muller", (order: NewOrder) => order.customer_name === "Jürgen Müller"],
    ["o'bri", (order: NewOrder) => order.customer_name === "O'Brien"],
    ["zoe", (order: NewOrder) => order.customer_name === "Zoë Unique"],
    [
      "customer1234@example.org",
      (order: NewOrder) => order.customer_email === "customer1234@example.org",
    ],
    ["moka", (order: NewOrder) => order.items[0]?.id === "moka-pot"],
    ["mug", (order: NewOrder) => order.items[0]?.id === "mug"],
    [
      "kaffee ada",
      (order: NewOrder) => order.items[0]?.id === "mug" && /^Ada/.test(order.customer_name),
    ],
  ])("%j finds the orders with these words", async (text, isWanted) => {
    const expected = idsWhere(isWanted);
    expect(expected.length).toBeGreaterThan(0);
    expect(await find(text)).toEqual(expected);
  });

  test("a prefix of an id finds its order", async () => {
    const id = "0e4b3a51-0000-4000-8000-000000000001";
    await shop.stored({ id, customer_name: "Zelda", created_at: 1 });
    for (const text of ["0e4b", "#0E4B3A51", id, ` ${id} `]) expect(await find(text)).toContain(id);
    expect(await find("0e4b3a51-0000")).toEqual([id]);
    expect(await find("0e4b3a51 zelda")).toEqual([]);
  });

  test.each([
    "ovelace",
    "ada zuse",
    "%",
    "_",
    "'",
    '"',
    "--",
    "😀",
    "\0",
    "\\",
    "*",
    "lovelace%",
    "=0000",
  ])("%j finds nothing", async (text) => {
    const expected = text === "lovelace%" ? await find("lovelace") : [];
    expect(await find(text)).toEqual(expected);
  });

  test("every combination of filters lists the matching orders, page by page, none twice", async () => {
    const filter = fc.record(
      {
        text: fc
          .constantFrom("ada", "moka", "s", "mug org", "zoe", "nobody", "1234")
          .map(searchedText),
        statuses: fc.uniqueArray(fc.constantFrom(...orderStatuses), { minLength: 1, maxLength: 3 }),
        ids: fc.array(fc.nat(MANY - 1), { maxLength: 100 }).map((places) => idsAt(orders, places)),
        from: fc.integer({ min: 0, max: 850 * HOUR }),
        before: fc.integer({ min: 0, max: 850 * HOUR }),
        minTotal: fc.constantFrom(0, 905, 4_500, 20_010),
        maxTotal: fc.constantFrom(0, 905, 4_500, 20_010),
        changedSince: fc.constant(0),
        oldestFirst: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const all = await idsOf(shop.database, {});
    const known = new Map(orders.map((order) => [order.id, order]));
    const stored = await shop.database.db
      .selectFrom("orders")
      .select(["id", orderNumber])
      .execute();
    const numbers = new Map(stored.map(({ id, number }) => [id, number]));
    const wordsOfOrder = ({ customer_name, customer_email, items: [item] }: NewOrder) =>
      wordsOf(`${customer_name} ${customer_email} ${item?.name} ${item?.id}`)
        .map((word) => ` ${word}`)
        .join("");
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 40, max: 200 }), async (wanted, limit) => {
        const expected = all.filter((id) => {
          const order = known.get(id);
          if (order === undefined) return false;
          const number = numbers.get(id) ?? "";
          return isListed(wanted, { ...order, number, words: wordsOfOrder(order) });
        });
        const listed = (await idsOf(shop.database, wanted, limit)).filter((id) => known.has(id));
        expect(listed.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  test.each<[name: string, filter: OrderFilter]>([
    ["all orders", {}],
    ["two statuses", { statuses: ["Pending", "Shipped"] }],
    ["some days", { from: 100 * HOUR, before: 700 * HOUR }],
    ["a total", { minTotal: 4_500, maxTotal: 20_001 }],
    ["a frequent word", { text: searchedText("ada") }],
    ["a rare word", { text: searchedText("customer1234") }],
    ["a word among one status", { text: searchedText("moka"), statuses: ["Cancelled"] }],
  ])(
    "the list of %s with the oldest first is the reverse of the newest first",
    async (_, filter) => {
      const oldest = await idsOf(shop.database, { ...filter, oldestFirst: true }, 9);
      expect(oldest).toEqual((await idsOf(shop.database, filter)).toReversed());
      expect(oldest.length).toBeGreaterThan(0);
    },
  );

  test("orders are counted by status, and counting ends at a limit", async () => {
    const count = async (filter: Parameters<typeof countOrders>[1]) =>
      Object.fromEntries(
        (await countOrders(shop.database.db, filter)).map(({ status, orders, more }) => [
          status,
          `${orders}${more ? "+" : ""}`,
        ]),
      );
    const none = { PaymentProcessing: "0", PaymentProcessed: "0", Delivered: "0" };
    expect(await count({})).toEqual({
      ...none,
      Pending: `${MAX_COUNTED}+`,
      Shipped: `${MAX_COUNTED}+`,
      Cancelled: "5",
    });
    expect(await count({ from: HOUR, before: 3 * HOUR })).toEqual({
      ...none,
      Pending: "3",
      Shipped: "2",
      Cancelled: "1",
    });
    expect(await count({ text: searchedText("zoe") })).toMatchObject({
      Pending: "0",
      Shipped: "1",
    });
    const frequent = await count({ text: searchedText("ada") });
    expect(Object.values(frequent).every((text) => text.endsWith("+"))).toBe(true);
    const counted = Object.values(frequent).map((text) => Number.parseInt(text, 10));
    expect(counted.reduce((sum, orders) => sum + orders, 0)).toBeGreaterThan(MAX_COUNTED);
  });

  test("no query of a list scans a whole table", async () => {
    await shop.testDatabase.run("ANALYZE");
    const wholeTable = /Seq Scan|SCAN \w+"/;
    const byName = (db: Queries) =>
      db.selectFrom("orders").select("id").where("customer_name", "=", "x").execute();
    expect((await plansOf(kind, shop.database, byName)).join()).toMatch(wholeTable);
    const filters: OrderFilter[] = [
      {},
      { statuses: ["Shipped"], from: 100 * HOUR, before: 700 * HOUR },
      { text: searchedText("lovelace") },
      { text: searchedText("ada moka") },
      { text: searchedText("0e4b3a51") },
      { text: searchedText("K-10023") },
      { text: searchedText("ada"), statuses: ["Shipped"] },
      { text: searchedText("ada"), statuses: ["Cancelled"] },
      { minTotal: 20_000, maxTotal: 20_005 },
      { text: searchedText("ada"), from: 100 * HOUR },
      { changedSince: 1 },
      { statuses: ["Pending", "Cancelled"] },
      { statuses: ["Pending"], oldestFirst: true },
      { text: searchedText("ada moka"), oldestFirst: true },
      { text: searchedText("ada"), statuses: ["Pending", "Cancelled"] },
      { ids: new Set(["0e4b3a51"]), statuses: ["Pending"] },
      { ids: new Set(["0e4b3a51"]), text: searchedText("ada") },
    ];
    for (const filter of filters) {
      const plans = await plansOf(kind, shop.database, (db) =>
        listOrders(db, filter, { limit: 51 }),
      );
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).not.toMatch(wholeTable);
    }
    const counts = await plansOf(kind, shop.database, (db) => countOrders(db, {}));
    for (const plan of counts) expect(plan).not.toMatch(wholeTable);
  });

  test.each<[name: string, filter: OrderFilter, limit: number]>([
    ["the last page of a status", { text: searchedText("ada"), statuses: ["Cancelled"] }, 25],
    ["a word of no order of a status", { text: searchedText("unique"), statuses: ["Pending"] }, 9],
  ])(
    "%s is searched without the index, which would read all orders with the word",
    async (_, filter, limit) => {
      const plans = await plansOf(kind, shop.database, (db) => listOrders(db, filter, { limit }));
      expect(plans.length).toBeGreaterThan(0);
      expect(plans.some((plan) => plan.includes("order_search("))).toBe(false);
    },
  );

  test("an order is found by the rarest word of its email address, without the orders of the same domain", async () => {
    let rows = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows += result.rows.length;
        return result;
      },
    };
    const filter = { text: searchedText("customer1234@example.org") };
    const found = await listOrders(shop.database.db.withPlugin(counting), filter, { limit: 9 });
    expect(found.map(({ customer_email }) => customer_email)).toEqual(["customer1234@example.org"]);
    expect(rows).toBeLessThan(MANY);
  });

  test("a word that only old orders have is found among all orders, page by page", async () => {
    const old = idsWhere(({ customer_name }) => customer_name === "Zoë Unique");
    const filter = { text: searchedText("ada unique") };
    expect(await idsOf(shop.database, { text: searchedText("unique") }, 1)).toEqual(old);
    expect(await idsOf(shop.database, filter)).toEqual([]);
    const before = 100 * HOUR;
    const early = idsWhere(
      ({ customer_name, created_at }) => customer_name === "O'Brien" && created_at < before,
    );
    expect(await idsOf(shop.database, { text: searchedText("brien"), before }, 7)).toEqual(early);
  });

  test("an order is found in the transaction that stores it, and not when it is rolled back", async () => {
    const text = searchedText("fleeting");
    await expect(
      shop.within(async (unit) => {
        const order = aStoredOrder({ customer_name: "Fleeting" });
        await insertOrders(unit, [{ order, idempotency: undefined }]);
        const found = await listOrders(unit.db, { text }, { limit: 9 });
        expect(found.map(({ id }) => id)).toEqual([order.id]);
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await find("fleeting")).toEqual([]);
  });

  test("an erased order is found by its items only", async () => {
    const { id } = await shop.stored({
      customer_name: "Erna Vergessen",
      customer_email: "erna@vergessen.example",
      items: [{ id: "teapot", name: "Teekanne", price: 1, quantity: 1 }],
    });
    expect(await find("vergessen")).toEqual([id]);
    expect(await indexedWords()).toContain("vergessen");
    await shop.within((unit) => clearOrder(unit, id));
    expect(await find("vergessen")).toEqual([]);
    expect(await find("teekanne")).toEqual([id]);
    expect(await indexedWords()).not.toContain("vergessen");
    expect(await indexedWords()).toContain("teekanne");
  });

  test("an order with an out-of-order time is on exactly one page of a search", async () => {
    const start = 2_000 * HOUR;
    const placed = [
      ...Array.from({ length: 6 }, (_, n) => ["Gisela", start + n * HOUR] as const),
      ["Otto", start + 3 * HOUR - 1] as const,
      ["Gisela", 5 * HOUR] as const,
      ...Array.from({ length: 1_200 }, (_, n) => ["Otto", start + 2 * HOUR + 2 + n] as const),
      ["Gisela", start + 2 * HOUR + 1] as const,
    ].map(([customer_name, created_at]) => aStoredOrder({ customer_name, created_at }));
    await shop.within((unit) =>
      insertOrders(
        unit,
        placed.map((order) => ({ order, idempotency: undefined })),
      ),
    );
    const expected = placed
      .filter(({ customer_name }) => customer_name === "Gisela")
      .toSorted((one, other) => other.created_at - one.created_at)
      .map(({ id }) => id);
    expect(await idsOf(shop.database, { text: searchedText("gisela") }, 3)).toEqual(expected);
  });

  test("each change is listed at least once with updated_since, in whatever order transactions are committed", async () => {
    const since = async (changedSince: number) =>
      listOrders(shop.database.db, { changedSince }, { limit: 200 });
    const start = 100_000_000 * HOUR;
    const early = aStoredOrder({ created_at: start });
    const late = aStoredOrder({ created_at: start + 900 });
    const place = (order: NewOrder) =>
      shop.within((unit) => insertOrders(unit, [{ order, idempotency: undefined }]));
    let page: Awaited<ReturnType<typeof since>> = [];
    const during = async () => {
      await place(late);
      page = await since(start);
    };
    if (kind.name === "PostgreSQL") {
      await shop.secondConnection.inTransaction(async (unit) => {
        await insertOrders(unit, [{ order: early, idempotency: undefined }]);
        await during();
      });
    } else {
      await during();
      await place(early);
    }
    expect(page.map(({ id }) => id)).toEqual([late.id]);
    const again = await since(page.at(-1)?.updated_at ?? 0);
    expect(again.map(({ id }) => id)).toEqual([early.id, late.id]);
    const { changeStatuses } = useCasesOn(shop.database);
    const change = { orderId: early.id, to: "Cancelled", by: { kind: "customer" } } as const;
    await shop.within((unit) => changeStatuses(unit, [change]));
    const [changed] = await listOrders(
      shop.database.db,
      { ids: new Set([early.id]), changedSince: 0 },
      { limit: 1 },
    );
    expect(changed).toMatchObject({ id: early.id, status: "Cancelled" });
    expect(changed?.updated_at).not.toBe(start);
  });
});
