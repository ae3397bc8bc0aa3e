import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { codeOf, reasonOf } from "../errors.ts";
import {
  createInTransaction,
  type Database,
  DatabaseUnreachable,
  DatabaseUnusable,
  reportQueriesTo,
  unobserved,
} from "./database.ts";
import { isConflict, isDatabaseUnavailable } from "./faults.ts";
import { insertAllIntoPostgres } from "./insert-all-postgres.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { migrationsFor } from "./migrations.ts";
import { connectionOptions, createPool, type PoolLimits } from "./postgres-pool.ts";
import { followDatabaseClock } from "./shared-clock.ts";
import type { Tables } from "./tables.ts";

/** How many times a transaction is tried that loses deadlocks or serialization conflicts. */
const ATTEMPTS = 5;

/**
 * Connects to the shop's PostgreSQL database and runs missing migrations.
 *
 * A commit returns when it is on the server's disk: sessions turn `synchronous_commit` on where it
 * is off.
 *
 * @param url such as `postgres://user:password@host:5432/shop`
 * @throws {DatabaseUnreachable} when the server cannot be reached at the moment, or a migration
 *   cannot lock its tables
 * @throws {DatabaseUnusable} when the login or its rights are refused, or a newer version has
 *   migrated the database
 */
export async function openPostgres(
  url: string,
  observer = unobserved,
  limits: PoolLimits = {},
): Promise<Database> {
  await withConnection(url, (client) =>
    migratePostgres(client, migrationsFor("postgres"), observer.migrating),
  );
  const dialect = new PostgresDialect({ pool: createPool(url, observer, limits) });
  const db = new Kysely<Tables>({ dialect, log: reportQueriesTo(observer) });
  async function lock(transaction: Transaction<Tables>, names: readonly string[]): Promise<void> {
    const wanted = sql`unnest(${names}::text[]) as name`;
    await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from ${wanted}`.execute(
      transaction,
    );
  }
  const kind = {
    lockNames: lock,
    insertAll: insertAllIntoPostgres,
    lockingRows: <Query extends { forUpdate(): Query }>(query: Query) => query.forUpdate(),
  };
  const tryOnce = createInTransaction(db, kind, observer);
  const inTransaction: Database["inTransaction"] = (work) => retryConflicts(() => tryOnce(work));
  const clock = await followDatabaseClock(() => readTime(db)).catch(async (error: unknown) => {
    await db.destroy();
    if (error instanceof Error && isDatabaseUnavailable(error)) {
      throw new DatabaseUnreachable(`cannot use PostgreSQL: ${reasonOf(error)}`);
    }
    throw error;
  });
  return {
    db,
    inTransaction,
    check: () => inTransaction(({ db }) => writeTestRow(db)),
    now: clock.now,
    truncateLog: async () => {},
    writers: 2,
    async close() {
      clock.close();
      await db.destroy();
    },
  };
}

/** The server's time, in epoch milliseconds. */
async function readTime(db: Kysely<Tables>): Promise<number> {
  const time = sql<{
    now: number;
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  const [row] = (await time.execute(db)).rows;
  if (row === undefined) throw new Error("PostgreSQL returned no time");
  return row.now;
}

const TEST_ROW = "written-at";

/**
 * Updates a test row that no other transaction has locked, or inserts one. A process that freezes
 * in this transaction therefore blocks no other. There are as many rows as checks have run at the
 * same moment.
 */
async function writeTestRow(db: Transaction<Tables>): Promise<void> {
  const value = new Date().toISOString();
  const free = db
    .selectFrom("facts")
    .select("name")
    .where("name", "like", `${TEST_ROW}%`)
    .limit(1)
    .forUpdate()
    .skipLocked();
  const { numUpdatedRows } = await db
    .updateTable("facts")
    .set({ value })
    .where("name", "=", free)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  await db
    .insertInto("facts")
    .values({ name: `${TEST_ROW}:${randomUUID()}`, value })
    .execute();
}

/**
 * Runs maintenance work, such as migrations, on a connection outside the pool and without a query
 * timeout: tables may be large, and another process may hold the migration lock.
 *
 * @throws {DatabaseUnreachable} when the server cannot be reached at the moment
 * @throws {DatabaseUnusable} when the login, the database or a right is refused
 */
export async function withConnection(
  url: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...connectionOptions(url), query_timeout: 0 });
  client.on("error", () => {});
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    if (error instanceof DatabaseUnusable || !(error instanceof Error)) throw error;
    const why = `cannot use PostgreSQL: ${reasonOf(error)}`;
    if (isDatabaseUnavailable(error)) throw new DatabaseUnreachable(why);
    if (/^(?:28|3D|42501)/.test(codeOf(error))) throw new DatabaseUnusable(why);
    throw error;
  } finally {
    await client.end();
  }
}

async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !isConflict(error)) throw error;
    }
  }
}
