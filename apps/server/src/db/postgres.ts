import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import {
  type Database,
  DatabaseUnreachable,
  DatabaseUnusable,
  logTo,
  transactionsOf,
  unobserved,
} from "./database.ts";
import { isDatabaseAway, isRolledBackForAnother } from "./faults.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { connectionOptions, createPool, type PoolLimits } from "./postgres-pool.ts";
import { followDatabaseClock } from "./shared-clock.ts";
import type { Tables } from "./tables.ts";

/** How often a transaction is begun again that another got into the way of. */
const ATTEMPTS = 5;

/**
 * Connects to the shop's PostgreSQL database and brings its tables up to date.
 *
 * A commit returns when the server has it on its disk: each session sees to it that `synchronous_commit` is not off.
 *
 * @param url such as `postgres://user:password@host:5432/shop`
 * @throws {DatabaseUnreachable} when there is no way to the database at the moment
 * @throws {DatabaseUnusable} when it may not be used, or belongs to a newer version
 */
export async function openPostgres(
  url: string,
  observer = unobserved,
  limits: PoolLimits = {},
): Promise<Database> {
  await onConnection(url, (client) => migratePostgres(client));
  const dialect = new PostgresDialect({ pool: createPool(url, observer, limits) });
  const db = new Kysely<Tables>({ dialect, log: logTo(observer) });
  async function lock(transaction: Transaction<Tables>, names: readonly string[]): Promise<void> {
    const wanted = sql`unnest(${names}::text[]) as name`;
    await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from ${wanted}`.execute(transaction);
  }
  const once = transactionsOf(db, lock, observer);
  const inTransaction: Database["inTransaction"] = (work) => again(() => once(work));
  const clock = await followDatabaseClock(() => readTime(db)).catch(async (error: unknown) => {
    await db.destroy();
    if (error instanceof Error && isDatabaseAway(error)) {
      throw new DatabaseUnreachable(`cannot use PostgreSQL: ${reasonOf(error)}`);
    }
    throw error;
  });
  return {
    db,
    inTransaction,
    check: () => inTransaction(({ db }) => writeSomething(db)),
    now: clock.now,
    writers: 2,
    async close() {
      clock.close();
      await db.destroy();
    },
  };
}

/** PostgreSQL's own time, in epoch milliseconds. */
async function readTime(db: Kysely<Tables>): Promise<number> {
  const time = sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  const [row] = (await time.execute(db)).rows;
  if (row === undefined) throw new Error("PostgreSQL tells no time");
  return row.now;
}

const WRITTEN = "written-at";

/**
 * Writes to a row that no other process holds, one that is there or a new one: a process that has frozen in the middle of
 * this must not make others wait. So there is one row for each check that ever ran at the same moment.
 */
async function writeSomething(db: Transaction<Tables>): Promise<void> {
  const value = new Date().toISOString();
  const free = db
    .selectFrom("facts")
    .select("name")
    .where("name", "like", `${WRITTEN}%`)
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
    .values({ name: `${WRITTEN}:${randomUUID()}`, value })
    .execute();
}

/**
 * Does work that is not the shop's daily one on a connection of its own. It takes as long as it takes: tables may be
 * large, and another process may be at it.
 *
 * @throws {DatabaseUnreachable} when there is no way to the database at the moment
 * @throws {DatabaseUnusable} when the database may not be used
 */
export async function onConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connectionOptions(url), query_timeout: 0 });
  client.on("error", () => {});
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    if (error instanceof DatabaseUnusable || !(error instanceof Error)) throw error;
    const why = `cannot use PostgreSQL: ${reasonOf(error)}`;
    if (isDatabaseAway(error)) throw new DatabaseUnreachable(why);
    if ("code" in error && /^(?:28|3D|42501)/.test(String(error.code))) throw new DatabaseUnusable(why);
    throw error;
  } finally {
    await client.end();
  }
}

function reasonOf(error: Error): string {
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}

async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !isRolledBackForAnother(error)) throw error;
    }
  }
}
