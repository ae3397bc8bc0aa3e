import { randomUUID } from "node:crypto";
import { anOrder } from "@keepsats/testing";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createInProcessBus } from "../apps/server/src/bus/in-process.ts";
import { createEditCatalogue } from "../apps/server/src/catalogue/edit-catalogue.ts";
import type { Item } from "../apps/server/src/catalogue/item.ts";
import { findItem, listItems, pricesOf, storeItems } from "../apps/server/src/catalogue/item-repository.ts";
import { type Database, DatabaseUnusable, type UnitOfWork } from "../apps/server/src/db/database.ts";
import { openOrderKeys } from "../apps/server/src/orders/order-keys.ts";
import {
  countByStatus,
  findOrder,
  findOrders,
  findState,
  findStates,
  listEvents,
  listOrders,
  resolveOrderId,
} from "../apps/server/src/orders/order-repository.ts";
import { createPlaceOrder } from "../apps/server/src/orders/place-order.ts";
import { claimKeys, findPlaced, insertOrders } from "../apps/server/src/orders/place-order-repository.ts";
import { createSharedCallBudget } from "../apps/server/src/payments/call-budget.ts";
import {
  addChecks,
  type CheckKey,
  dueChecks,
  endLease,
  findChecks,
  finishCheck,
  leaseCheck,
  releaseCheck,
  removeChecks,
  takeLease,
} from "../apps/server/src/payments/check-repository.ts";
import {
  type BoundContract,
  contractsOf,
  findContract,
  findContractAndOthers,
  listMismatches,
  recordMismatch,
  saveContract,
} from "../apps/server/src/payments/contract-repository.ts";
import { remember, withoutSettled } from "../apps/server/src/payments/settled-before.ts";
import { withSafeErrors } from "../apps/server/src/telemetry/faults-in-log.ts";
import { type DatabasePlace, databaseKinds } from "./harness/databases.ts";
import { aStoredOrder } from "./harness/orders.ts";
import { settlementOn } from "./harness/settlement.ts";
import { waitFor } from "./harness/wait-for.ts";

/** What must be true of every database that the shop runs on. */
describe.each(databaseKinds)("on $name", ({ name, migrations, newPlace }) => {
  describe("migrations", () => {
    let place: DatabasePlace;
    const opened: Database[] = [];
    afterEach(async () => {
      for (const database of opened.splice(0)) await database.close();
      await place.remove();
    });
    const open = async () => {
      const database = await place.open();
      opened.push(database);
      return database;
    };

    test("make every table of an empty database, once, however many processes start at once", async () => {
      place = await newPlace();
      const databases = await Promise.all(Array.from({ length: 10 }, open));
      for (const database of databases) await database.check();
    });

    test("bring a database of every earlier version up to date and keep what is in it", async () => {
      const newer = {
        version: migrations.length + 1,
        name: "newer",
        sql: "ALTER TABLE facts ADD COLUMN note text",
      };
      const all = [...migrations, newer];
      for (const { version } of migrations) {
        place = await newPlace();
        await place.migrate(all.slice(0, version));
        await place.run("INSERT INTO facts (name, value) VALUES ('kept', 'yes')");
        await place.migrate(all);
        expect(await place.run("SELECT * FROM facts")).toEqual([{ name: "kept", value: "yes", note: null }]);
        await place.migrate(all);
      }
    });

    test("list orders that an earlier version took as paid because of a dispute", async () => {
      place = await newPlace();
      await place.migrate(migrations.slice(0, 1));
      const [disputed, paid] = [randomUUID(), randomUUID()];
      for (const [id, status] of [
        [disputed, "DisputeBorrowerStarted"],
        [paid, "PrincipalGiven"],
      ]) {
        await place.run(
          `INSERT INTO orders VALUES ('${id}', 'PaymentProcessed', 2, 0, 'Ada', 'ada@example.org', '{}', '{}', 4500, 1)`,
        );
        await place.run(`INSERT INTO contracts VALUES ('c-${id}', '${id}', 'Closed', 'paid', 1, 1)`);
        await place.run(
          `INSERT INTO order_events VALUES ('${id}', 2, 'Pending', 'PaymentProcessed', 'provider', 'contract c-${id}: ${status}', 7)`,
        );
      }
      await place.migrate(migrations);
      expect(await place.run("SELECT contract_id, order_id, kind FROM mismatches")).toEqual([
        { contract_id: `c-${disputed}`, order_id: disputed, kind: "dispute" },
      ]);
    });

    test("that fail leave nothing behind", async () => {
      place = await newPlace();
      const broken = {
        version: 1,
        name: "broken",
        sql: "CREATE TABLE half (a integer); SELECT * FROM nowhere",
      };
      await expect(place.migrate([broken])).rejects.toThrow(/nowhere/);
      await expect(place.run("SELECT * FROM half")).rejects.toThrow(/half/);
      await (await open()).check();
    });

    test("refuse a database from a newer version, and leave it as it is", async () => {
      place = await newPlace();
      await place.migrate(migrations);
      await place.setVersion(1_000);
      await expect(place.open()).rejects.toThrow(DatabaseUnusable);
      await expect(place.open()).rejects.toThrow(/version 1000, made by a newer Keepsats/);
    });
  });

  describe("the shop", () => {
    let place: DatabasePlace;
    let database: Database;
    /** A second process's connection, where the database serves more than one process. */
    let other: Database;
    beforeAll(async () => {
      place = await newPlace();
      database = await place.open();
      other = name === "SQLite" ? database : await place.open();
    });
    afterAll(async () => {
      await database.close();
      if (other !== database) await other.close();
      await place.remove();
    });

    const within = <T>(work: (unit: UnitOfWork) => Promise<T>) => database.inTransaction(work);
    async function stored(changes: Parameters<typeof aStoredOrder>[0] = {}) {
      const order = aStoredOrder(changes);
      await within((unit) => insertOrders(unit, [{ order, idempotency: undefined }]));
      return order;
    }
    const anItem = (changes: Partial<Item> = {}): Item => ({
      id: randomUUID(),
      name: "Moka Pot",
      description: "For the stove.",
      price: 4_500,
      imageUrl: "/pictures/moka-pot.svg",
      hidden: false,
      ...changes,
    });
    function useCases(on: Database) {
      const placeOrder = createPlaceOrder({ database: on, pricesOf, now: () => 5, newId: randomUUID });
      return { ...settlementOn(on), placeOrder };
    }

    describe("a transaction", () => {
      test("that fails leaves nothing behind, and its follow-ups are never done", async () => {
        let followed = false;
        const failing = within(async (unit) => {
          unit.afterCommit(() => {
            followed = true;
          });
          await unit.db.insertInto("facts").values({ name: "a", value: "b" }).execute();
          throw new Error("no");
        });
        await expect(failing).rejects.toThrow("no");
        expect(followed).toBe(false);
        expect(await database.db.selectFrom("facts").selectAll().where("name", "=", "a").execute()).toEqual(
          [],
        );
      });

      test("does its follow-ups once it is stored", async () => {
        const seen: unknown[] = [];
        await within(async (unit) => {
          await unit.db.insertInto("facts").values({ name: "c", value: "d" }).execute();
          unit.afterCommit(() => seen.push("followed"));
          expect(seen).toEqual([]);
        });
        expect(seen).toEqual(["followed"]);
      });

      test("that holds a lock keeps all others from it until it ends", async () => {
        const counter = { name: "counter", value: "0" };
        await database.db.insertInto("facts").values(counter).execute();
        const add = async (to: Database) =>
          to.inTransaction(async ({ db, lock }) => {
            await lock("counter");
            const { value } = await db
              .selectFrom("facts")
              .select("value")
              .where("name", "=", "counter")
              .executeTakeFirstOrThrow();
            await db
              .updateTable("facts")
              .set({ value: String(Number(value) + 1) })
              .where("name", "=", "counter")
              .execute();
          });
        await Promise.all(Array.from({ length: 20 }, (_, index) => add(index % 2 === 0 ? database : other)));
        const { value } = await database.db
          .selectFrom("facts")
          .select("value")
          .where("name", "=", "counter")
          .executeTakeFirstOrThrow();
        expect(value).toBe("20");
      });
    });

    test("a row that is refused is not in what is logged of it", async () => {
      const order = aStoredOrder({ total: -1 });
      const refused = within((unit) => insertOrders(unit, [{ order, idempotency: undefined }]));
      const error: unknown = await refused.then(
        () => undefined,
        (reason) => reason,
      );
      const lines: string[] = [];
      const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
      withSafeErrors(log).error({ err: error }, "a request failed");
      expect(lines.join("")).toMatch(/a request failed/);
      expect(lines.join("")).toMatch(/check/i);
      for (const secret of [order.id, order.customerName, order.customerEmail, "St James"])
        expect(lines.join("")).not.toContain(secret);
    });

    test("the keys of orders are the same for all processes that start at once", async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, index) => openOrderKeys(index % 2 === 0 ? database : other)),
      );
      const keys = [...all, await openOrderKeys(other)].map(({ keyOf }) => keyOf("an order"));
      expect(new Set(keys).size).toBe(1);
    });

    describe("constraints refuse", () => {
      const first = "00000000-0000-4000-8000-000000000001";
      const order = (id: string) =>
        `INSERT INTO orders (id, status, version, attempt_over, customer_name, customer_email, shipping_address, billing_address, total, created_at) VALUES ('${id}', 'Pending', 1, 0, '', '', '{}', '{}', 0, 0)`;
      beforeAll(async () => {
        await place.run(order(first));
        await place.run(
          `INSERT INTO contracts (id, order_id, status, meaning, bound_at, updated_at) VALUES ('bound', '${first}', 'x', 'paid', 1, 1)`,
        );
        await place.run(
          "INSERT INTO idempotency_keys (key, body_hash, answer, created_at) VALUES ('k', 'h', 'a', 1)",
        );
        await place.run(
          "INSERT INTO items (id, name, description, price, image_url) VALUES ('one', 'One', '', 1, '')",
        );
      });
      afterAll(async () => {
        for (const table of ["contracts", "orders", "idempotency_keys", "items"])
          await place.run(`DELETE FROM ${table}`);
      });

      const line = (changes: string) =>
        `INSERT INTO order_lines (order_id, position, item_id, name, price, quantity) VALUES (${changes})`;
      test.each([
        ["a second order of one id", order(first)],
        ["an order with an id that is none", order("short")],
        ["an order of no known status", `UPDATE orders SET status = 'Lost'`],
        ["an order of no version", `UPDATE orders SET version = 0`],
        ["an order that costs less than nothing", `UPDATE orders SET total = -1`],
        ["an attempt that is half over", `UPDATE orders SET attempt_over = 2`],
        ["a line without its order", line(`'${randomUUID()}', 0, 'x', 'x', 1, 1`)],
        ["a line of nothing", line(`'${first}', 0, 'x', 'x', 1, 0`)],
        ["a line of too much", line(`'${first}', 0, 'x', 'x', 1, 10000`)],
        ["a line with a negative price", line(`'${first}', 0, 'x', 'x', -1, 1`)],
        [
          "an event without its order",
          `INSERT INTO order_events (order_id, version, to_status, by, at) VALUES ('${randomUUID()}', 1, 'Pending', 'x', 1)`,
        ],
        [
          "a second item of one id",
          "INSERT INTO items (id, name, description, price, image_url) VALUES ('one', '', '', 1, '')",
        ],
        ["an item with a negative price", "UPDATE items SET price = -1"],
        ["an item that is too dear", "UPDATE items SET price = 100000001"],
        ["an item that is half hidden", "UPDATE items SET hidden = 2"],
        ["an order that goes while a contract is bound to it", "DELETE FROM orders"],
        [
          "a contract for a second order",
          `INSERT INTO contracts (id, order_id, status, meaning, bound_at, updated_at) VALUES ('bound', '${first}', 'x', 'paid', 1, 1)`,
        ],
        ["a contract of no known meaning", "UPDATE contracts SET meaning = 'maybe'"],
        [
          "a contract without its order",
          `INSERT INTO contracts (id, order_id, status, meaning, bound_at, updated_at) VALUES ('c', '${randomUUID()}', 'x', 'paid', 1, 1)`,
        ],
        [
          "a check without its order",
          `INSERT INTO payment_checks (contract_id, order_id, outcome, not_before, next_at, created_at) VALUES ('c', '${randomUUID()}', 'new', 1, 1, 1)`,
        ],
        [
          "a second answer for one key",
          "INSERT INTO idempotency_keys (key, body_hash, answer, created_at) VALUES ('k', 'h', 'a', 1)",
        ],
      ])("%s", async (_, sql) => {
        await expect(place.run(sql)).rejects.toThrow(/constraint/i);
      });
    });

    describe("items", () => {
      test("are listed in the order in which they were added, and found by id", async () => {
        const [one, two] = [anItem({ name: "One" }), anItem({ name: "Two", hidden: true })];
        await within((unit) => storeItems(unit, [one, two]));
        expect((await listItems(database.db)).slice(-2)).toEqual([one, two]);
        expect(await findItem(database.db, two.id)).toEqual(two);
        expect(await findItem(database.db, "none")).toBeUndefined();
        const changed = { ...one, price: 5_000 };
        await within((unit) => storeItems(unit, [changed]));
        expect((await listItems(database.db)).slice(-2)).toEqual([changed, two]);
        const prices = await within((unit) => pricesOf(unit, [one.id, two.id, "none"]));
        expect(prices).toEqual(new Map([[one.id, { name: "One", price: 5_000 }]]));
      });

      test("are in the order of an imported file, and an import that fails changes nothing", async () => {
        const { importItems } = createEditCatalogue({
          database,
          bus: createInProcessBus(),
          listPictures: async () => new Set(["/pictures/moka-pot.svg"]),
          listingSettled: async () => {},
        });
        const ids = Array.from({ length: 600 }, () => String(randomUUID()));
        const file = ids.map((id) => ({
          id,
          name: "Thing",
          description: "A thing.",
          price: 1,
          image_url: "/pictures/moka-pot.svg",
        }));
        const order = async () =>
          (await listItems(database.db)).map(({ id }) => id).filter((id) => ids.includes(id));
        let turns = 0;
        const others = setInterval(() => (turns += 1), 0);
        await importItems(file);
        clearInterval(others);
        expect(turns).toBeGreaterThan(0);
        expect(await order()).toEqual(ids);
        await importItems(file.toReversed());
        expect(await order()).toEqual(ids.toReversed());
        expect(await importItems(file, { dryRun: true })).toMatchObject({ answer: { reordered: true } });
        expect(await importItems([...file, { id: "lacks-all" }])).toMatchObject({ kind: "invalid" });
        expect(await order()).toEqual(ids.toReversed());
        await within(async ({ db }) => {
          for (let start = 0; start < 600; start += 200)
            await db
              .deleteFrom("items")
              .where("id", "in", ids.slice(start, start + 200))
              .execute();
        });
      });

      test("can be priced by the thousand", async () => {
        const ids = Array.from({ length: 2_000 }, () => randomUUID());
        expect((await within((unit) => pricesOf(unit, ids))).size).toBe(0);
      });
    });

    describe("orders", () => {
      test("come back as they were stored", async () => {
        const lines = [
          { id: "oak-chair", name: "Oak Chair", price: 100_000_000, quantity: 9_999 },
          { id: "mug", name: "Mug 😀 \"'--", price: 0, quantity: 1 },
        ];
        const order = await stored({ lines, total: 999_900_000_000, createdAt: 1_790_000_000_123 });
        expect(await findOrder(database.db, order.id)).toEqual(order);
        expect(await findState(database.db, order.id)).toEqual({
          id: order.id,
          status: "Pending",
          version: 1,
          total: order.total,
          createdAt: order.createdAt,
        });
        expect(await listEvents(database.db, order.id)).toEqual([
          { from_status: null, to_status: "Pending", by: "shopper", reason: null, at: order.createdAt },
        ]);
        expect(await findOrder(database.db, randomUUID())).toBeUndefined();
        expect(await findState(database.db, randomUUID())).toBeUndefined();
      });

      test("are read by the hundred, each with its own lines in their order", async () => {
        const line = (id: string, quantity: number) => ({ id, name: id, price: 1, quantity });
        const orders = [];
        for (let n = 1; n <= 300; n += 1) {
          orders.push(
            await stored({ lines: [line("b", n), line("a", 1), line("c", 2)].slice(0, 1 + (n % 3)) }),
          );
        }
        const unknown = randomUUID();
        const ids = [unknown, ...orders.map(({ id }) => id)];
        const found = await findOrders(database.db, ids);
        expect(orders.map(({ id }) => found.get(id))).toEqual(orders);
        expect(found.has(unknown)).toBe(false);
        const states = await findStates(database.db, ids);
        expect([...states.keys()].sort()).toEqual(orders.map(({ id }) => id).sort());
      });

      test("are moved together, each by its own rules, and one that is named twice step by step", async () => {
        const { changeStatuses } = useCases(database);
        const paid = () => stored({ status: "PaymentProcessed" });
        const [one, other, third, pending] = [await paid(), await paid(), await paid(), await stored()];
        const change = (orderId: string, to: "Shipped" | "Delivered" | "Cancelled") =>
          ({ orderId, to, by: "merchant" }) as const;
        const outcomes = await within((unit) =>
          changeStatuses(unit, [
            change(one.id, "Shipped"),
            change(other.id, "Shipped"),
            change(third.id, "Cancelled"),
            change(pending.id, "Shipped"),
            change(randomUUID(), "Shipped"),
            change(one.id, "Delivered"),
            change(other.id, "Delivered"),
            change(pending.id, "Cancelled"),
            change(one.id, "Shipped"),
            change(other.id, "Delivered"),
          ]),
        );
        expect(outcomes).toEqual([
          { kind: "changed", from: "PaymentProcessed" },
          { kind: "changed", from: "PaymentProcessed" },
          { kind: "changed", from: "PaymentProcessed" },
          { kind: "refused", from: "Pending" },
          { kind: "not-found" },
          { kind: "changed", from: "Shipped" },
          { kind: "changed", from: "Shipped" },
          { kind: "changed", from: "Pending" },
          { kind: "refused", from: "Delivered" },
          { kind: "unchanged" },
        ]);
        const orders = [one, other, third, pending];
        const states = await findStates(
          database.db,
          orders.map(({ id }) => id),
        );
        expect(orders.map(({ id }) => states.get(id)?.status)).toEqual([
          "Delivered",
          "Delivered",
          "Cancelled",
          "Cancelled",
        ]);
        const events = await Promise.all([one, other].map(({ id }) => listEvents(database.db, id)));
        for (const ofOne of events) {
          expect(ofOne.map(({ to_status }) => to_status)).toEqual([
            "PaymentProcessed",
            "Shipped",
            "Delivered",
          ]);
        }
        expect(await listEvents(database.db, third.id)).toHaveLength(2);
      });

      test("are found by the beginning of their id", async () => {
        const order = await stored({ id: "abcdef01-0000-4000-8000-000000000001" });
        const twin = await stored({ id: "abcdef01-0000-4000-8000-000000000002" });
        const resolve = (given: string) => resolveOrderId(database.db, given);
        expect(await resolve("abcdef01")).toEqual({ kind: "many" });
        expect(await resolve("ABCDEF01-0000-4000-8000-000000000001")).toEqual({ kind: "one", id: order.id });
        expect(await resolve(twin.id.slice(0, 36))).toEqual({ kind: "one", id: twin.id });
        expect(await resolve("abcdef02")).toEqual({ kind: "none" });
        expect(await resolve("abc")).toEqual({ kind: "none" });
        await stored({ id: "abcdef10-0000-4000-8000-000000000002" });
        expect(await resolve("abcdef10")).toMatchObject({ kind: "one" });
      });

      test("are listed newest first, page by page, none twice, also those of one moment", async () => {
        const made = [];
        for (let index = 0; index < 7; index += 1)
          made.push(await stored({ createdAt: 5_000_000 + Math.floor(index / 3), status: "Shipped" }));
        const seen: string[] = [];
        let cursor: { createdAt: number; id: string } | undefined;
        for (;;) {
          const page = await listOrders(database.db, { status: "Shipped", cursor, limit: 2 });
          seen.push(...page.map(({ id }) => id));
          const last = page.at(-1);
          if (last === undefined) break;
          cursor = last;
        }
        const expected = made
          .toSorted((one, two) => two.createdAt - one.createdAt || (one.id < two.id ? 1 : -1))
          .map(({ id }) => id);
        expect(seen).toEqual(expected);
        const counts = await countByStatus(database.db);
        expect(counts).toContainEqual({ status: "Shipped", orders: 7 });
        expect(await listOrders(database.db, { limit: 1 })).toHaveLength(1);
      });

      test("are found by their idempotency keys", async () => {
        const key = randomUUID();
        const order = aStoredOrder();
        const placed = { order, idempotency: { key, bodyHash: "h" } };
        expect(await within((unit) => claimKeys(unit, [placed]))).toEqual(new Set());
        expect(await within((unit) => findPlaced(unit, [key, "none"]))).toEqual(
          new Map([[key, { bodyHash: "h", orderId: order.id }]]),
        );
        expect(await within((unit) => claimKeys(unit, [placed]))).toEqual(new Set([key]));
        expect(await within((unit) => findPlaced(unit, []))).toEqual(new Map());
      });
    });

    describe("contracts", () => {
      const aContract = (orderId: string, changes: Partial<BoundContract> = {}): BoundContract => ({
        id: randomUUID(),
        orderId,
        status: "Requested",
        meaning: "processing",
        cents: 4_500,
        extends: undefined,
        boundAt: 7,
        updatedAt: 1_790_000_000_000,
        ...changes,
      });

      test("are bound once, and change their status only", async () => {
        const [order, another] = [await stored(), await stored()];
        const contract = aContract(order.id);
        await within((unit) => saveContract(unit, contract));
        expect(await findContract(database.db, contract.id)).toEqual(contract);
        const paid = { ...contract, status: "PrincipalGiven", meaning: "paid" as const, updatedAt: 9 };
        await within((unit) => saveContract(unit, { ...paid, orderId: another.id, boundAt: 99 }));
        expect(await findContract(database.db, contract.id)).toEqual(paid);
        expect(await contractsOf(database.db, order.id)).toEqual([paid]);
        expect(await contractsOf(database.db, another.id)).toEqual([]);
        expect(await findContract(database.db, "none")).toBeUndefined();
      });

      test("are found with all others of an order", async () => {
        const order = await stored();
        const one = aContract(order.id, { boundAt: 1 });
        const two = aContract(order.id, { boundAt: 2, cents: undefined, extends: one.id });
        const elsewhere = aContract((await stored()).id);
        for (const contract of [one, two, elsewhere]) await within((unit) => saveContract(unit, contract));
        const find = (id: string, of: string | undefined) => findContractAndOthers(database.db, id, of);
        expect(await find(one.id, order.id)).toEqual({ bound: one, others: [two] });
        expect(await find(elsewhere.id, order.id)).toEqual({ bound: elsewhere, others: [one, two] });
        expect(await find("none", order.id)).toEqual({ bound: undefined, others: [one, two] });
        expect(await find(one.id, undefined)).toEqual({ bound: one, others: [] });
      });

      test("that were settled are not settled again until the provider says something else", async () => {
        const told = (changes: object) => ({
          id: order,
          status: "PrincipalGiven",
          loan_amount: "45.00",
          loan_asset: "UsdcPol",
          client_contract_id: order,
          ...changes,
        });
        const order = randomUUID();
        const left = async (changes: object) => (await withoutSettled(database.db, [told(changes)])).length;
        expect(await left({})).toBe(1);
        await within((unit) => remember(unit, [told({ status: "Requested" }), told({})]));
        expect(await left({})).toBe(0);
        for (const changes of [
          { status: "Closed" },
          { loan_amount: 45 },
          { loan_asset: "Eur" },
          { client_contract_id: null },
        ]) {
          expect(await left(changes), JSON.stringify(changes)).toBe(1);
        }
        await within((unit) => remember(unit, [told({ status: "Closed" })]));
        expect(await left({})).toBe(1);
        expect(await left({ status: "Closed" })).toBe(0);
      });

      test("that do not fit are recorded once, and again when there is something else to say", async () => {
        const where = { contractId: randomUUID(), orderId: randomUUID(), seenAt: 8_000_000 };
        const record = (detail: string, seenAt: number) =>
          within((unit) => recordMismatch(unit, { ...where, seenAt }, { kind: "underpaid", detail }));
        expect(await record("one", 8_000_000)).toBe(true);
        expect(await record("one", 8_000_001)).toBe(false);
        expect(await record("two", 8_000_002)).toBe(true);
        const [newest] = await listMismatches(database.db, { limit: 1 });
        expect(newest).toEqual({
          contract_id: where.contractId,
          order_id: where.orderId,
          kind: "underpaid",
          detail: "two",
          seen_at: 8_000_002,
        });
      });

      test("that do not fit are listed page by page, none left out while others come", async () => {
        const seenAt = 9_000_000;
        const kinds = ["foreign", "second", "underpaid"] as const;
        const record = (contractId: string, kind: (typeof kinds)[number], later = 0) =>
          within((unit) =>
            recordMismatch(unit, { contractId, orderId: "", seenAt: seenAt + later }, { kind, detail: "d" }),
          );
        for (const id of ["a", "b"]) for (const kind of kinds) await record(`page-${id}`, kind);
        const seen: string[] = [];
        let after: Parameters<typeof listMismatches>[1]["after"];
        do {
          const page = await listMismatches(database.db, { after, limit: 2 });
          for (const { contract_id, order_id, kind, seen_at } of page) {
            if (contract_id.startsWith("page-")) seen.push(`${contract_id} ${kind}`);
            after = { seenAt: seen_at, contractId: contract_id, orderId: order_id, kind };
          }
          if (page.length < 2) after = undefined;
          await record(`newer-${seen.length}`, "foreign", 1);
        } while (after !== undefined);
        expect(seen).toEqual(["a", "b"].flatMap((id) => kinds.map((kind) => `page-${id} ${kind}`)));
      });
    });

    describe("checks", () => {
      const note = (on: Database, keys: readonly CheckKey[], now: number) =>
        on.inTransaction((unit) => addChecks(unit, keys, now));

      test("are taken by one at a time, come due, and end", async () => {
        const order = await stored();
        const key = { orderId: order.id, contractId: "c" };
        const stateAt = async (now: number) => (await findChecks(database.db, [order.id], now)).get(order.id);
        expect(await stateAt(100)).toBeUndefined();
        expect(await note(database, [key], 100)).toEqual([true]);
        expect(await note(database, [key], 200)).toEqual([true]);
        expect(await stateAt(100)).toEqual([{ ...key, outcome: "new", due: true }]);
        expect(await dueChecks(database.db, 99, 10)).toEqual([]);
        expect(await dueChecks(database.db, 100, 10)).toEqual([key]);
        const leases = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            leaseCheck((index % 2 === 0 ? database : other).db, key, { now: 100, until: 150 }),
          ),
        );
        expect(leases.filter((lease) => lease !== undefined)).toEqual([{ failures: 0, createdAt: 100 }]);
        expect(await dueChecks(database.db, 100, 10)).toEqual([]);
        expect(await leaseCheck(database.db, key, { now: 149, until: 160 })).toBeUndefined();
        expect(await stateAt(149)).toEqual([{ ...key, outcome: "new", due: false }]);
        expect(await stateAt(150)).toEqual([{ ...key, outcome: "new", due: true }]);
        expect(await leaseCheck(database.db, key, { now: 150, until: 160 })).toBeDefined();
        await releaseCheck(database.db, key);
        expect(await leaseCheck(database.db, key, { now: 151, until: 160 })).toBeDefined();
        await finishCheck(database.db, key, { outcome: "absent", failures: 3, notBefore: 300, nextAt: 400 });
        expect(await stateAt(299)).toEqual([{ ...key, outcome: "absent", due: false }]);
        expect(await stateAt(300)).toEqual([{ ...key, outcome: "absent", due: true }]);
        expect(await leaseCheck(database.db, key, { now: 299, until: 500 })).toBeUndefined();
        expect(await leaseCheck(database.db, key, { now: 300, until: 500 })).toMatchObject({ failures: 3 });
        await removeChecks(database.db, [key]);
        expect(await stateAt(300)).toBeUndefined();
      });

      test("of one order are no more than ten, however many are added at once", async () => {
        const [order, another] = [await stored(), await stored()];
        const noted = await Promise.all(
          Array.from({ length: 30 }, (_, index) => {
            const keys = [order, another].map(({ id }) => ({ orderId: id, contractId: `c${index}` }));
            return index % 2 === 0 ? note(database, keys, 1) : note(other, keys.reverse(), 1);
          }),
        );
        expect(noted.flat().filter(Boolean)).toHaveLength(20);
        const same = { orderId: (await stored()).id, contractId: "twice" };
        expect(await note(database, [same, same], 2_000)).toEqual([true, true]);
        await removeChecks(database.db, [same]);
        const due = await dueChecks(database.db, 1_000, 100);
        for (const { id } of [order, another]) {
          expect(due.filter(({ orderId }) => orderId === id)).toHaveLength(10);
        }
        await removeChecks(database.db, due);
        expect(await dueChecks(database.db, 1_000, 100)).toEqual([]);
      });

      test("a named lease has one holder, and can be taken when it has run out", async () => {
        const take = (on: Database, now: number, until: number) =>
          takeLease(on.db, "work", { now, until, furthest: 1_000 });
        const first = await Promise.all([database, other, database, other].map((on) => take(on, 100, 200)));
        expect(first.filter(Boolean)).toHaveLength(1);
        expect(await take(other, 199, 300)).toBe(false);
        expect(await take(other, 200, 300)).toBe(true);
        expect(await endLease(database.db, "work", { from: 200, until: 250 })).toBe(false);
        expect(await endLease(database.db, "work", { from: 300, until: 210 })).toBe(true);
        expect(await take(database, 210, 2_000)).toBe(true);
        expect(await take(other, 1_000, 2_000)).toBe(false);
        // One that lies further ahead than any can was stored before the clock was set back.
        expect(await take(other, 999, 1_900)).toBe(true);
      });
    });

    describe("the calls to the provider", () => {
      const CALLS = 5;
      const TIME = 1_000_000;
      const budgets = (clock: () => number) =>
        [database, other].map((on) => createSharedCallBudget(on, CALLS, clock));
      const taken = async (asked: Promise<boolean>[]) => (await Promise.all(asked)).filter(Boolean).length;
      beforeEach(() => database.db.deleteFrom("call_budget").execute());

      test("are so many a second for all processes together", async () => {
        const all = budgets(() => TIME);
        const asked = Array.from({ length: 20 }, () => all.map((budget) => budget.take("urgent"))).flat();
        expect(await taken(asked)).toBe(CALLS);
        const later = budgets(() => TIME + 400);
        expect(await taken(later.flatMap((one) => [one.take("urgent"), one.take("urgent")]))).toBe(2);
      });

      test("wait for all of them when one was asked to pause, but not for a pause of another clock", async () => {
        const [one, another] = budgets(() => TIME);
        await one?.pause(60_000);
        expect(await another?.take("urgent")).toBe(false);
        const [, earlier] = budgets(() => TIME + 59_999);
        expect(await earlier?.take("urgent")).toBe(false);
        const [, later] = budgets(() => TIME + 60_000);
        expect(await later?.take("urgent")).toBe(true);
        await one?.pause(60_000);
        const [, backInTime] = budgets(() => TIME - 600_000);
        expect(await backInTime?.take("urgent")).toBe(true);
      });

      test("leave the last ones for what matters most, and are not asked for where there are none", async () => {
        const [one] = budgets(() => TIME);
        const importances = [
          "unbound",
          "unbound",
          "unbound",
          "unbound",
          "bound",
          "bound",
          "urgent",
          "urgent",
        ] as const;
        const granted: boolean[] = [];
        for (const importance of importances) granted.push((await one?.take(importance)) ?? false);
        expect(granted).toEqual([true, true, true, false, true, false, true, false]);
        await database.db.deleteFrom("call_budget").execute();
        expect(await one?.take("urgent")).toBe(false);
      });
    });

    describe("the clock that processes share", () => {
      test("is whole milliseconds, goes on, and is the same for all of them", async () => {
        const before = database.now();
        expect(Number.isInteger(before)).toBe(true);
        await waitFor("it to go on", () => database.now() > before);
        expect(Math.abs(database.now() - other.now())).toBeLessThan(5_000);
      });

      test("does not jump with the clock of this machine", async () => {
        const jumped = vi.spyOn(Date, "now").mockReturnValue(0);
        try {
          expect(database.now()).toBeGreaterThan(1_000_000_000_000);
        } finally {
          jumped.mockRestore();
        }
      });
    });

    describe("writers at once", () => {
      test("who place orders under one key make one order, and all get its answer", async () => {
        await within((unit) => storeItems(unit, [anItem({ id: "moka-pot" })]));
        const [one, two] = [useCases(database).placeOrder, useCases(other).placeOrder];
        for (let round = 0; round < 10; round += 1) {
          const request = { body: anOrder(), idempotencyKey: randomUUID() };
          const outcomes = await Promise.all(
            Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two)(request)),
          );
          const placed = outcomes.filter(({ kind }) => kind === "placed");
          expect(placed).toHaveLength(1);
          const answers = outcomes.map((outcome) => {
            if (outcome.kind === "placed" || outcome.kind === "replayed") return outcome.answer;
            throw new Error(`the order was answered ${outcome.kind}`);
          });
          expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
          expect((await listEvents(database.db, answers[0]?.id ?? "")).length).toBe(1);
        }
      });

      test("who place orders under the same two keys the other way round do not wait for each other without end", async () => {
        const [one, two] = [useCases(database).placeOrder, useCases(other).placeOrder];
        for (let round = 0; round < 10; round += 1) {
          const keys = Array.from({ length: 8 }, () => randomUUID());
          const place = (placeOrder: typeof one, some: string[]) =>
            some.map((idempotencyKey) => placeOrder({ body: anOrder(), idempotencyKey }));
          const outcomes = await Promise.all([...place(one, keys), ...place(two, keys.toReversed())]);
          expect(outcomes.filter(({ kind }) => kind === "placed")).toHaveLength(8);
          expect(outcomes.filter(({ kind }) => kind === "replayed")).toHaveLength(8);
        }
      });

      test("what is to follow a commit and fails takes nothing back", async () => {
        const order = await stored({ status: "PaymentProcessed" });
        const happened: string[] = [];
        const outcome = await database.inTransaction(async (unit) => {
          unit.afterCommit(() => {
            throw new Error("nobody is listening");
          });
          unit.afterCommit(() => happened.push("the next"));
          return useCases(database).changeStatuses(unit, [
            { orderId: order.id, to: "Cancelled", by: "merchant" },
          ]);
        });
        expect(outcome).toEqual([{ kind: "changed", from: "PaymentProcessed" }]);
        expect(happened).toEqual(["the next"]);
        expect((await findState(database.db, order.id))?.status).toBe("Cancelled");
      });

      test("who move one order make each move once", async () => {
        const order = await stored({ status: "PaymentProcessed" });
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, (_, index) => {
            const on = index % 2 === 0 ? database : other;
            const { changeStatuses } = useCases(on);
            return on.inTransaction((unit) =>
              changeStatuses(unit, [{ orderId: order.id, to: "Shipped", by: "merchant" }]),
            );
          }),
        );
        expect(outcomes.flat().filter(({ kind }) => kind === "changed")).toHaveLength(1);
        expect(await listEvents(database.db, order.id)).toHaveLength(2);
        expect(await findOrder(database.db, order.id)).toMatchObject({ status: "Shipped", version: 2 });
      });

      const paidFor = (orderId: string, id: string = randomUUID()) => ({
        id,
        status: "PrincipalGiven",
        loan_amount: "45.00",
        loan_asset: "UsdcPol",
        client_contract_id: orderId,
      });
      const mismatchesOf = async (orderId: string) =>
        (await listMismatches(database.db, { limit: 1_000 }))
          .filter(({ order_id }) => order_id === orderId)
          .map(({ kind }) => kind);

      test("who pay one order with two loans: one pays, the other is recorded", async () => {
        for (let round = 0; round < 10; round += 1) {
          const order = await stored();
          await Promise.all([database, other].map((on) => useCases(on).settle(paidFor(order.id))));
          expect(await findState(database.db, order.id)).toMatchObject({ status: "PaymentProcessed" });
          expect(await mismatchesOf(order.id)).toEqual(["second"]);
        }
      });

      test("who settle one loan at once make one move and record nothing", async () => {
        for (let round = 0; round < 10; round += 1) {
          const order = await stored();
          const contract = paidFor(order.id);
          await Promise.all([database, other, database].map((on) => useCases(on).settle(contract, order.id)));
          expect(await listEvents(database.db, order.id)).toHaveLength(2);
          expect(await mismatchesOf(order.id)).toEqual([]);
        }
      });

      test("who settle many loans at once, in different orders, settle each once", async () => {
        const orders = await Promise.all(Array.from({ length: 60 }, () => stored()));
        const contracts = orders.map(({ id }) => paidFor(id));
        const [one, two] = [useCases(database), useCases(other)];
        await Promise.all([
          ...contracts.map((contract) => one.settle(contract)),
          ...contracts.toReversed().map((contract) => two.settle(contract)),
        ]);
        for (const { id } of orders) {
          expect(await findState(database.db, id)).toMatchObject({ status: "PaymentProcessed", version: 2 });
        }
      });

      test("who cancel an order while its loan is paid: it is paid, or the money is recorded", async () => {
        const ends = new Set<string>();
        for (let round = 0; round < 20; round += 1) {
          const order = await stored();
          const cancel = other.inTransaction((unit) =>
            useCases(other).changeStatuses(unit, [{ orderId: order.id, to: "Cancelled", by: "merchant" }]),
          );
          await Promise.all([cancel, useCases(database).settle(paidFor(order.id))]);
          const events = (await listEvents(database.db, order.id)).map(({ to_status }) => to_status);
          const mismatches = await mismatchesOf(order.id);
          ends.add(`${events.join(" ")}; ${mismatches.join(" ")}`);
        }
        const allowed = ["Pending PaymentProcessed Cancelled; ", "Pending Cancelled; paid-after-cancel"];
        expect([...ends].filter((end) => !allowed.includes(end))).toEqual([]);
      });

      test("who bind one contract to two orders bind it to one", async () => {
        for (let round = 0; round < 10; round += 1) {
          const [one, two] = [await stored(), await stored()];
          const id = randomUUID();
          await Promise.all([
            useCases(database).settle(paidFor(one.id, id)),
            useCases(other).settle(paidFor(two.id, id)),
          ]);
          const statuses = await Promise.all([one, two].map((order) => findState(database.db, order.id)));
          expect(statuses.map((order) => order?.status).sort()).toEqual(["PaymentProcessed", "Pending"]);
        }
      });
    });
  });
});
