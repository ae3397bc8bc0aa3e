import { randomUUID } from "node:crypto";
import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { codeOf, reasonOf } from "../errors.ts";
import { followDatabaseClock } from "../scheduling/clock.ts";
import {
  createInTransaction,
  type Database,
  DatabaseUnreachable,
  DatabaseUnusable,
  endOfInsert,
  type InsertClauses,
  type NewRows,
  type ReturnedValue,
  reportQueriesTo,
  type TransactionDialect,
  unobserved,
} from "./database.ts";
import { isConflict, isDatabaseUnavailable } from "./faults.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { migrationsFor } from "./migrations.ts";
import { connectionOptions, createPool, type PoolLimits } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

/** The maximum number of attempts of a transaction that loses deadlocks. */
const ATTEMPTS = 5;

/**
 * Connects to the PostgreSQL database of the shop and runs the missing migrations. Every commit is
 * on the disk when it returns: sessions turn `synchronous_commit` on.
 *
 * @param url such as `postgres://user:password@host:5432/shop`
 * @throws {DatabaseUnreachable} if the server is unreachable, or a migration
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
  const tryOnce = createInTransaction(db, transactionDialect, observer);
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

/** Epoch milliseconds of the database server. */
async function readTime(db: Kysely<Tables>): Promise<number> {
  const time = sql<{
    now: number;
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`;
  const [row] = (await time.execute(db)).rows;
  if (row === undefined) throw new Error("PostgreSQL returned no time");
  return row.now;
}

/** Writes a row of its own, so that a process that freezes in this transaction blocks no other. */
async function writeTestRow(db: Transaction<Tables>): Promise<void> {
  const name = `written-at:${randomUUID()}`;
  await db.insertInto("key_values").values({ name, value: "" }).execute();
  await db.deleteFrom("key_values").where("name", "=", name).execute();
}

/**
 * Runs maintenance work, such as migrations, on a connection outside the pool and without a query
 * timeout: tables may be large, and another process may hold the migration lock.
 *
 * @throws {DatabaseUnreachable} if the server is unreachable
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

const transactionDialect: TransactionDialect = {
  async lockNames(transaction, names) {
    const wanted = sql`unnest(${names}::text[]) as name`;
    await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from ${wanted}`.execute(
      transaction,
    );
  },
  lockingRows: (query) => query.forUpdate(),
  insertAll,
};

async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !isConflict(error)) throw error;
    }
  }
}

/**
 * `insertAll` of PostgreSQL: one statement for all tables. The rows of a table are one JSON
 * parameter, so the text of the statement does not depend on their number.
 */
async function insertAll(
  transaction: Transaction<Tables>,
  all: NewRows,
  clauses?: InsertClauses,
): Promise<readonly ReturnedValue[]> {
  const tables = Object.entries(all).filter(([, rows]) => rows.length > 0);
  if (tables.length === 0) return [];
  const inserts = tables.map(([table, rows], index) => {
    const names = Object.keys(rows[0] ?? {})
      .map((column) => `"${column}"`)
      .join(", ");
    const read = `json_populate_recordset(null::"${table}", $${index + 1})`;
    const end = endOfInsert(table, clauses);
    return `"${table}_stored" as (insert into "${table}" (${names}) select ${names} from ${read} ${end})`;
  });
  const parameters = tables.map(([, rows]) => JSON.stringify(rows));
  const isReturning =
    clauses?.returning !== undefined && tables.some(([table]) => table === clauses.table);
  const result = isReturning ? `id, value from "${clauses.table}_stored"` : "1";
  const { rows } = await transaction.executeQuery<ReturnedValue>(
    CompiledQuery.raw(`with ${inserts.join(", ")} select ${result}`, parameters),
  );
  return isReturning ? rows : [];
}
