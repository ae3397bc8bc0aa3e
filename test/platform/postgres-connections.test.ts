import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, inject, test, vi } from "vitest";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { createMoveOrder } from "../../apps/server/src/modules/payments/hooks/move-order.ts";
import { unobserved } from "../../apps/server/src/platform/database/database.ts";
import {
  isDatabaseUnavailable,
  Overloaded,
} from "../../apps/server/src/platform/database/faults.ts";
import { openPostgres } from "../../apps/server/src/platform/database/postgres.ts";
import { createPool } from "../../apps/server/src/platform/database/postgres-pool.ts";
import type { Tables } from "../../apps/server/src/platform/database/tables.ts";
import { aStoredOrder } from "../harness/builders.ts";
import { startFaultProxy } from "../harness/network.ts";
import { newDatabase } from "../harness/postgres.ts";
import { settlementOn } from "../harness/use-cases.ts";
import { waitFor } from "../harness/wait-for.ts";

// At the same time, because most wait for a timeout.
const QUICK = 2_000;

/** A database whose queries have a short timeout, behind a proxy. */
async function proxiedDatabase(observer = unobserved) {
  const proxy = await startFaultProxy(await newDatabase(inject("postgresUrl")));
  const database = await openPostgres(proxy.url, observer, { queryWithin: QUICK });
  return {
    proxy,
    database,
    async [Symbol.asyncDispose]() {
      proxy.set("none");
      await database.close();
      await proxy.close();
    },
  };
}

test.concurrent("a connection whose query times out is closed, and other queries do not wait behind it", async () => {
  await using proxied = await proxiedDatabase();
  const { proxy, database } = proxied;
  await database.check();
  expect(proxy.connections).toBeGreaterThan(0);
  proxy.set("stalled");
  await expect(database.db.selectFrom("key_values").selectAll().execute()).rejects.toThrow(
    /timeout/,
  );
  // The pool also closes idle connections, but only after ten seconds.
  await waitFor("the connection to be closed", () => proxy.connections === 0, 8_000);
  proxy.set("none");
  await database.check();
});

test.concurrent("transactions that get no answer do not look like one that does", async () => {
  const answered = vi.fn();
  await using proxied = await proxiedDatabase({ ...unobserved, answered });
  const { proxy, database } = proxied;
  await database.check();
  answered.mockClear();
  proxy.set("stalled");
  await expect(database.check()).rejects.toThrow(/timeout/);
  expect(answered).not.toHaveBeenCalled();
});

test.concurrent("a transaction whose COMMIT gets no response fails as unavailable, as without its standby", async () => {
  await using proxied = await proxiedDatabase();
  const { proxy, database } = proxied;
  const committing = database.inTransaction(async ({ db }) => {
    await db.selectFrom("key_values").selectAll().execute();
    proxy.set("stalled");
  });
  const error: unknown = await committing.catch((error: unknown) => error);
  expect(isDatabaseUnavailable(error), String(error)).toBe(true);
});

test.concurrent("a transaction whose BEGIN is refused fails, and its connection is closed", async () => {
  const pool = createPool(await newDatabase(inject("postgresUrl")), unobserved);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const backend = (from: typeof db) =>
    sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(from);
  try {
    // A connection in a transaction that has failed refuses BEGIN.
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid", []);
    await client.query("begin", []);
    await expect(client.query("select broken", [])).rejects.toThrow(/broken/);
    client.release();
    await expect(db.transaction().execute(backend)).rejects.toThrow(
      /current transaction is aborted/,
    );
    expect((await backend(db)).rows).not.toEqual(rows);
  } finally {
    await db.destroy();
  }
});

test.concurrent("every session commits durably and is READ COMMITTED, whatever the defaults of the database are", async () => {
  const url = await newDatabase(inject("postgresUrl"));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  await client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
  await client.end();
  const database = await openPostgres(url);
  const settings = await database.inTransaction(({ db }) =>
    db
      .selectNoFrom(({ fn, val }) => [
        fn<string>("current_setting", [val("synchronous_commit")]).as("durable"),
        fn<string>("current_setting", [val("transaction_isolation")]).as("isolation"),
        fn<string>("current_setting", [val("statement_timeout")]).as("within"),
      ])
      .executeTakeFirst(),
  );
  expect(settings).toEqual({ durable: "on", isolation: "read committed", within: "15s" });
  await database.close();
});

test.concurrent("a query that gets no connection is rejected, and reported", async () => {
  const received: unknown[] = [];
  const observer = { ...unobserved, unavailable: (error: unknown) => received.push(error) };
  const database = await openPostgres(await newDatabase(inject("postgresUrl")), observer);
  const slow = Array.from({ length: 10 }, () =>
    database.db.selectNoFrom(({ fn, val }) => fn("pg_sleep", [val(6)]).as("slept")).execute(),
  );
  await expect(database.check()).rejects.toThrow(/timeout exceeded/);
  expect(received.map(String)).toEqual([expect.stringMatching(/timeout exceeded/)]);
  await Promise.all(slow);
  await database.check();
  await database.close();
});

test.concurrent("a query that finds the queue for connections full is rejected at once", async () => {
  const database = await openPostgres(await newDatabase(inject("postgresUrl")), undefined, {
    maxWaiting: 5,
  });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      database.db.selectNoFrom(({ fn, val }) => fn("pg_sleep", [val(0.2)]).as("slept")).execute(),
    ),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toEqual(Array(5).fill({ status: "rejected", reason: expect.any(Overloaded) }));
  await database.check();
  await database.close();
});

test.concurrent("a process that freezes during its readiness check does not make other processes unready", async () => {
  const url = await newDatabase(inject("postgresUrl"));
  const [database, frozen] = [await openPostgres(url), await openPostgres(url)];
  await database.check();
  // From here on the first check freezes after its first write.
  for (const statement of [
    "create sequence checks",
    `create function wait_once() returns trigger language plpgsql as $$ begin
       if nextval('checks') = 1 then perform pg_sleep(4); end if;
       return null;
     end $$`,
    "create trigger waits after insert or update on key_values for each row execute function wait_once()",
  ])
    await sql.raw(statement).execute(database.db);
  let isFrozen = true;
  const freezing = frozen.check().finally(() => {
    isFrozen = false;
  });
  const checks = sql<{ is_called: boolean }>`select is_called from checks`;
  await waitFor("the freeze", async () => (await checks.execute(database.db)).rows[0]?.is_called);
  await Promise.all(Array.from({ length: 5 }, () => database.check()));
  expect(isFrozen).toBe(true);
  await freezing;
  const rows = await database.db
    .selectFrom("key_values")
    .select("name")
    .where("name", "like", "written-at%")
    .execute();
  expect(rows).toEqual([]);
  await Promise.all([database.close(), frozen.close()]);
});

test.concurrent("of a batch of moves, only the one whose order another transaction has locked fails", async () => {
  const url = await newDatabase(inject("postgresUrl"));
  const [database, other] = [await openPostgres(url), await openPostgres(url)];
  const orders = Array.from({ length: 20 }, () => aStoredOrder({ status: "PaymentProcessed" }));
  await database.inTransaction((unit) =>
    insertOrders(
      unit,
      orders.map((order) => ({ order, idempotency: undefined })),
    ),
  );
  const move = createMoveOrder({
    ...settlementOn(database),
    database,
    askAboutLoans: async () => [],
  });
  const [held = "", ...free] = orders.map(({ id }) => id);
  const [holding, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = other.inTransaction(async ({ db }) => {
    await db.updateTable("orders").set({ attempt_failed: 0 }).where("id", "=", held).execute();
    holding.resolve();
    await released.promise;
  });
  await holding.promise;
  const [ofHeld, ...ofFree] = [held, ...free].map((orderId) =>
    move({ orderId, to: "Shipped", by: { kind: "staff", name: "Ada" } }),
  );
  const refusal = expect(ofHeld).rejects.toThrow(/lock timeout/);
  expect(await Promise.all(ofFree)).toEqual(
    free.map(() => ({ kind: "changed", from: "PaymentProcessed", openLoans: [] })),
  );
  await refusal;
  released.resolve();
  await holder;
  expect(
    await move({ orderId: held, to: "Shipped", by: { kind: "staff", name: "Ada" } }),
  ).toMatchObject({
    kind: "changed",
  });
  await Promise.all([database.close(), other.close()]);
});
