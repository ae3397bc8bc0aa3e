import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { listOrders } from "../../apps/server/src/modules/orders/lists/list-orders.ts";
import type {
  Cursor,
  OrderFilter,
} from "../../apps/server/src/modules/orders/lists/order-filter.ts";
import {
  findOrder,
  findOrders,
  findState,
  findStates,
  listEvents,
} from "../../apps/server/src/modules/orders/order-repository.ts";
import { matchOrderId } from "../../apps/server/src/modules/orders/order-route.ts";
import {
  findEarlierOrders,
  insertOrders,
} from "../../apps/server/src/modules/orders/placing/place-order.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { readSharedSecret } from "../../apps/server/src/platform/database/key-values.ts";
import { withSafeErrors } from "../../apps/server/src/platform/observability/redaction.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { anAddress, aStoredOrder } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { useCasesOn } from "../harness/use-cases.ts";

const notPermitted = (from: string, to: string) =>
  new Refusal("transition_refused", { detail: `An order that is ${from} cannot become ${to}.` });

describe.each(databaseKinds)("orders on $name", (kind) => {
  const shop = useDatabase(kind);

  test("are read as they were stored", async () => {
    const lines = [
      { id: "oak-chair", name: "Oak Chair", price: 100_000_000, quantity: 9_999 },
      { id: "mug", name: "Mug 😀 \"'--", price: 0, quantity: 1 },
    ];
    const order = await shop.stored({
      items: lines,
      total_price: 999_900_000_000,
      created_at: 1_790_000_000_123,
    });
    expect(await findOrder(shop.database.db, order.id)).toEqual(order);
    expect(await findState(shop.database.db, order.id)).toEqual({
      id: order.id,
      status: "Pending",
      version: 1,
      total: order.total_price,
      created_at: order.created_at,
    });
    expect(await listEvents(shop.database.db, order.id)).toEqual([
      {
        kind: "placed",
        from_status: null,
        to_status: "Pending",
        by: "customer",
        by_name: null,
        reason: null,
        data: null,
        at: order.created_at,
      },
    ]);
    expect(await findOrder(shop.database.db, randomUUID())).toBeUndefined();
    expect(await findState(shop.database.db, randomUUID())).toBeUndefined();
  });

  test("are read by the hundred, each with its own lines in order", async () => {
    const line = (id: string, quantity: number) => ({ id, name: id, price: 1, quantity });
    const orders = [];
    for (let n = 1; n <= 300; n += 1) {
      orders.push(
        await shop.stored({
          items: [line("b", n), line("a", 1), line("c", 2)].slice(0, 1 + (n % 3)),
        }),
      );
    }
    const unknown = randomUUID();
    const ids = [unknown, ...orders.map(({ id }) => id)];
    const found = await findOrders(shop.database.db, ids);
    expect(orders.map(({ id }) => found.get(id))).toEqual(orders);
    expect(found.has(unknown)).toBe(false);
    const states = await findStates(shop.database.db, ids);
    expect([...states.keys()].sort()).toEqual(orders.map(({ id }) => id).sort());
  });

  test("are changed in batches, each with its own outcome, and two changes of one order in sequence", async () => {
    const { changeStatuses } = useCasesOn(shop.database);
    const paid = () => shop.stored({ status: "PaymentProcessed" });
    const [one, two, third, pending] = [
      await paid(),
      await paid(),
      await paid(),
      await shop.stored(),
    ];
    const change = (orderId: string, to: "Shipped" | "Delivered" | "Cancelled") =>
      ({ orderId, to, by: { kind: "staff", name: "Ada" } }) as const;
    const outcomes = await shop.within((unit) =>
      changeStatuses(unit, [
        change(one.id, "Shipped"),
        change(two.id, "Shipped"),
        change(third.id, "Cancelled"),
        change(pending.id, "Shipped"),
        change(randomUUID(), "Shipped"),
        change(one.id, "Delivered"),
        change(two.id, "Delivered"),
        change(pending.id, "Cancelled"),
        change(one.id, "Shipped"),
        change(two.id, "Delivered"),
      ]),
    );
    expect(outcomes).toEqual([
      { kind: "changed", from: "PaymentProcessed" },
      { kind: "changed", from: "PaymentProcessed" },
      { kind: "changed", from: "PaymentProcessed" },
      notPermitted("Pending", "Shipped"),
      { kind: "not-found" },
      { kind: "changed", from: "Shipped" },
      { kind: "changed", from: "Shipped" },
      { kind: "changed", from: "Pending" },
      notPermitted("Delivered", "Shipped"),
      { kind: "unchanged" },
    ]);
    const orders = [one, two, third, pending];
    const states = await findStates(
      shop.database.db,
      orders.map(({ id }) => id),
    );
    expect(orders.map(({ id }) => states.get(id)?.status)).toEqual([
      "Delivered",
      "Delivered",
      "Cancelled",
      "Cancelled",
    ]);
    const events = await Promise.all([one, two].map(({ id }) => listEvents(shop.database.db, id)));
    for (const ofOne of events) {
      expect(ofOne.map(({ to_status }) => to_status)).toEqual([
        "PaymentProcessed",
        "Shipped",
        "Delivered",
      ]);
    }
    expect(await listEvents(shop.database.db, third.id)).toHaveLength(2);
  });

  test("with a status of a newer version are read, listed and counted like other orders", async () => {
    const [order, other] = [await shop.stored(), await shop.stored()];
    const { id } = order;
    await shop.testDatabase.run(`UPDATE orders SET status = 'Refunded' WHERE id = '${id}'`);
    await shop.testDatabase.run(
      `UPDATE order_events SET to_status = 'Refunded' WHERE order_id = '${id}'`,
    );
    const { db } = shop.database;
    expect(await findOrder(db, id)).toEqual({ ...order, status: "Refunded" });
    const states = await findStates(db, [id, other.id]);
    expect([states.get(id)?.status, states.get(other.id)?.status]).toEqual(["Refunded", "Pending"]);
    const listed = await listOrders(db, {}, { limit: 1_000 });
    expect(listed).toContainEqual(expect.objectContaining({ id, status: "Refunded" }));
    expect(listed).toContainEqual(expect.objectContaining({ id: other.id, status: "Pending" }));
    expect(await listEvents(db, id)).toMatchObject([{ from_status: null, to_status: "Refunded" }]);
    await shop.testDatabase.run(`UPDATE orders SET status = 'Pending' WHERE id = '${id}'`);
  });

  test("with a status of a newer version are not moved, while the others of the same batch are", async () => {
    const [order, other] = [await shop.stored(), await shop.stored()];
    await shop.testDatabase.run(`UPDATE orders SET status = 'Refunded' WHERE id = '${order.id}'`);
    const cancel = (orderId: string, expected?: string) =>
      ({ orderId, to: "Cancelled", by: { kind: "staff", name: "Ada" }, expected }) as const;
    const outcomes = await shop.within((unit) =>
      useCasesOn(shop.database).changeStatuses(unit, [
        cancel(order.id),
        cancel(order.id, "Pending"),
        cancel(order.id, "Refunded"),
        cancel(other.id),
      ]),
    );
    expect(outcomes).toEqual([
      notPermitted("Refunded", "Cancelled"),
      new Refusal("status_changed", {
        detail: "The order is now Refunded.",
        current_status: "Refunded",
      }),
      notPermitted("Refunded", "Cancelled"),
      { kind: "changed", from: "Pending" },
    ]);
    expect(await findState(shop.database.db, order.id)).toMatchObject({
      status: "Refunded",
      version: 1,
    });
  });

  test("are found by a prefix of their id", async () => {
    const order = await shop.stored({ id: "abcdef01-0000-4000-8000-000000000001" });
    const twin = await shop.stored({ id: "abcdef01-0000-4000-8000-000000000002" });
    const resolve = (given: string) => matchOrderId(shop.database.db, given);
    expect(await resolve("abcdef01")).toMatchObject({ code: "ambiguous_id" });
    expect(await resolve("ABCDEF01-0000-4000-8000-000000000001")).toBe(order.id);
    expect(await resolve(twin.id.slice(0, 36))).toBe(twin.id);
    expect(await resolve("abcdef02")).toMatchObject({ code: "not_found" });
    expect(await resolve("abc")).toMatchObject({ code: "not_found" });
    const { id } = await shop.stored({ id: "abcdef10-0000-4000-8000-000000000002" });
    expect(await resolve("abcdef10")).toBe(id);
  });

  test("are paged newest first, none twice, even with the same time", async () => {
    const made = [];
    for (let index = 0; index < 7; index += 1)
      made.push(
        await shop.stored({ created_at: 5_000_000 + Math.floor(index / 3), status: "Shipped" }),
      );
    const seen: string[] = [];
    let cursor: Extract<Cursor, { by: "time" }> | undefined;
    for (;;) {
      const page = await listOrders(
        shop.database.db,
        { statuses: ["Shipped"] },
        { cursor, limit: 2 },
      );
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (last === undefined) break;
      cursor = { by: "time", created_at: last.created_at, id: last.id };
    }
    const expected = made
      .toSorted((one, two) => two.created_at - one.created_at || (one.id < two.id ? 1 : -1))
      .map(({ id }) => id);
    expect(seen).toEqual(expected);
    expect(await listOrders(shop.database.db, {}, { limit: 1 })).toHaveLength(1);
  });

  test("are found by their idempotency keys", async () => {
    const key = randomUUID();
    const order = aStoredOrder();
    const placed = { order, idempotency: { key, bodyHash: "h" } };
    await shop.within((unit) => insertOrders(unit, [placed]));
    expect(await shop.within((unit) => findEarlierOrders(unit, [key, "none"]))).toEqual(
      new Map([[key, { bodyHash: "h", orderId: order.id }]]),
    );
    expect(await shop.within((unit) => findEarlierOrders(unit, []))).toEqual(new Map());
  });

  test("that the database refuses do not appear in the logged error", async () => {
    const order = aStoredOrder({ total_price: -1 });
    const refused = shop.within((unit) => insertOrders(unit, [{ order, idempotency: undefined }]));
    const error: unknown = await refused.then(
      () => undefined,
      (reason) => reason,
    );
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
    withSafeErrors(log).error({ err: error }, "a request failed");
    expect(lines.join("")).toMatch(/a request failed/);
    expect(lines.join("")).toMatch(/check/i);
    for (const secret of [order.id, order.customer_name, order.customer_email, "St James"])
      expect(lines.join("")).not.toContain(secret);
  });

  test("have the same keys in all processes that start together", async () => {
    const read = ({ db }: Database) => readSharedSecret(db, "order-key-secret");
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        read(index % 2 === 0 ? shop.database : shop.secondConnection),
      ),
    );
    const secrets = [...all, await read(shop.secondConnection)].map((secret) =>
      secret.toString("hex"),
    );
    expect(new Set(secrets).size).toBe(1);
  });
});

describe.each(databaseKinds)("four orders on $name", (kind) => {
  const shop = useDatabase(kind);

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
    const placed = orders.map((order) => ({ order, idempotency: undefined }));
    await shop.within((unit) => insertOrders(unit, placed));
    const more = { order_id: idOf(1), kind: "moved", by: "staff", reason: "why", at: 9 };
    await shop.database.db
      .insertInto("order_events")
      .values([
        { ...more, version: 3, from_status: "PaymentProcessed", to_status: "Cancelled" },
        { ...more, version: 2, from_status: "Pending", to_status: "PaymentProcessed" },
      ])
      .execute();
  });

  test("a failed payment attempt is read back", async () => {
    await shop.database.db
      .updateTable("orders")
      .set({ attempt_failed: 1 })
      .where("id", "=", idOf(4))
      .execute();
    expect(await findOrder(shop.database.db, idOf(4))).toEqual({
      ...orders[3],
      number: "K-10004",
      payment_attempt_failed: true,
    });
  });

  test("are listed newest first", async () => {
    const list = async (
      filter: OrderFilter,
      after?: Extract<Cursor, { by: "time" }>,
      limit = 10,
    ) => {
      const listed = await listOrders(shop.database.db, filter, { cursor: after, limit });
      return listed.map(({ id }) => Number(id[7]));
    };
    const at = (created_at: number, n: number) => ({
      by: "time" as const,
      created_at,
      id: idOf(n),
    });
    expect(await list({})).toEqual([4, 3, 2, 1]);
    expect(await list({}, undefined, 2)).toEqual([4, 3]);
    expect(await list({}, at(2, 3))).toEqual([2, 1]);
    expect(await list({}, at(2, 2))).toEqual([1]);
    expect(await list({ statuses: ["Pending"] })).toEqual([3, 2, 1]);
    expect(await list({ statuses: ["Pending"] }, at(2, 3), 1)).toEqual([2]);
    expect(await list({ from: 2 })).toEqual([4, 3, 2]);
    expect(await list({ before: 2 })).toEqual([1]);
    expect(await listOrders(shop.database.db, {}, { limit: 1 })).toEqual([
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

  test("are sorted by time, not by id", async () => {
    const placedAt = (created_at: number) =>
      shop.database.db
        .updateTable("orders")
        .set({ created_at })
        .where("id", "=", idOf(4))
        .execute();
    await placedAt(0);
    const ids = (await listOrders(shop.database.db, {}, { limit: 10 })).map(({ id }) => id);
    expect(ids).toEqual([3, 2, 1, 4].map(idOf));
    await placedAt(4);
  });

  test("have events, which are listed oldest first", async () => {
    const common = { by_name: null, data: null };
    expect(await listEvents(shop.database.db, idOf(1))).toEqual([
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
});
