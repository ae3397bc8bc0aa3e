import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migratePostgres } from "../../apps/server/src/platform/database/migrate-postgres.ts";
import { withConnection } from "../../apps/server/src/platform/database/postgres.ts";
import { openWithRetry } from "../../apps/server/src/platform/resources.ts";
import { postgres, withMigration } from "../harness/databases.ts";
import { newDatabase } from "../harness/postgres.ts";

/** It changes orders and loans, as the update of a later release may. */
const migrations = withMigration(
  postgres,
  "ALTER TABLE orders ADD COLUMN gift text; ALTER TABLE loans ADD COLUMN gift text;",
);
const connections: pg.Client[] = [];
let url: string;

/** A connection of another program, with the lock timeout of a shop's connection. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  connections.push(client);
  await client.connect();
  await client.query("SET lock_timeout = '3s'");
  return client;
}

/**
 * Runs migrations as a starting server does. `waiting` resolves when they wait for a lock, with
 * the reason.
 */
function migrating(work: (client: pg.Client) => Promise<void>) {
  const waits = Promise.withResolvers<string>();
  const done = openWithRetry(() => withConnection(url, work), waits.resolve);
  done.catch(waits.reject);
  return { waiting: waits.promise, done };
}

beforeEach(async () => {
  url = await newDatabase(inject("postgresUrl"));
  await withConnection(url, (client) => migratePostgres(client));
});
afterEach(async () => {
  for (const client of connections.splice(0)) await client.end();
});

test("a migration during a backup lets other servers read orders, and succeeds after the backup", async () => {
  const [backup, shop] = [await connect(), await connect()];
  await backup.query("BEGIN; SELECT count(*) FROM orders");
  const { waiting, done } = migrating((client) => migratePostgres(client, migrations));
  let isWaiting = false;
  waiting.finally(() => {
    isWaiting = true;
  });
  // A query that waits for longer than its lock timeout fails the test.
  while (!isWaiting) await shop.query("SELECT count(*) FROM orders");
  expect(await waiting).toMatch(/another program uses a table that the update must change/);
  await shop.query("SELECT count(*) FROM orders");
  await backup.query("COMMIT");
  await done;
  await shop.query("SELECT gift FROM orders");
});

test("while an older server settles a loan, a migration backs off before a deadlock is detected", async () => {
  const settlement = await connect();
  await settlement.query("BEGIN; SELECT count(*) FROM loans");
  const { waiting, done } = migrating((client) => migratePostgres(client, migrations));
  await holdsOrders();
  await settlement.query("SELECT count(*) FROM orders");
  expect(await waiting).toMatch(/lock timeout/);
  await settlement.query("COMMIT");
  await done;
});

test("a migration that deadlocks with an older server's settlement is retried", async () => {
  const settlement = await connect();
  await settlement.query("BEGIN; SELECT count(*) FROM loans");
  await settlement.query("SET deadlock_timeout = '60s'");
  const { waiting, done } = migrating(async (client) => {
    await client.query("SET deadlock_timeout = '500ms'");
    await migratePostgres(client, migrations);
  });
  await holdsOrders();
  const settling = settlement.query("SELECT count(*) FROM orders");
  expect(await waiting).toMatch(
    /another program uses a table that the update must change .*deadlock/,
  );
  await settling;
  await settlement.query("COMMIT");
  await done;
});

/** Waits until the update has locked the orders. */
async function holdsOrders(): Promise<void> {
  const watcher = await connect();
  for (;;) {
    const { rows } = await watcher.query(
      "SELECT 1 FROM pg_locks WHERE relation = 'orders'::regclass AND mode = 'AccessExclusiveLock' AND granted",
    );
    if (rows.length > 0) return;
  }
}
