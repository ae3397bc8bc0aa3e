import BetterSqlite3 from "better-sqlite3";
import { Kysely, type SqliteDatabase, sql } from "kysely";
import { reasonOf } from "../errors.ts";
import {
  createInTransaction,
  type Database,
  type DatabaseObserver,
  DatabaseUnusable,
  type NewRows,
  reportQueriesTo,
  unobserved,
} from "./database.ts";
import { isDatabaseUnavailable } from "./faults.ts";
import { writeValue } from "./key-values.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { migrationsFor } from "./migrations.ts";
import { keepPrivate } from "./private-files.ts";
import { steadyClock } from "./shared-clock.ts";
import { NonBlockingSqliteDialect, type SharedSqlite } from "./sqlite-driver.ts";
import type { Tables } from "./tables.ts";
import type { QueueLimits } from "./timed-queue.ts";

const CACHED_STATEMENTS = 200;
/**
 * The size of the write-ahead log, in pages of 4 KB, at which a commit runs a checkpoint. With
 * SQLite's default of 1,000 one order in a hundred waited for a checkpoint, and twice as long in a
 * database of a million orders.
 */
const CHECKPOINT_PAGES = 4_000;

/** SQLite's own lock timeout, in milliseconds. It blocks, so it applies only before any request. */
const BUSY_TIMEOUT_AT_START = 5_000;
const WAITS: SqliteWaits = { lockWait: 5_000, maxWaiting: 1_000, maxWait: 10_000 };

/** The limits of the connection's queue, and the timeout for the write lock. */
export type SqliteWaits = Pick<SharedSqlite, "lockWait" | keyof QueueLimits>;

/**
 * Opens the SQLite file of the shop, creates it if needed, and runs the missing migrations. Every
 * commit is on the disk when it returns (WAL, `synchronous=FULL`).
 *
 * @throws {DatabaseUnusable} when the file cannot be opened, or a newer version has migrated it
 */
export function openSqlite(
  file: string,
  observer = unobserved,
  waits: Partial<SqliteWaits> = {},
): Database {
  const sqlite = openFile(file);
  try {
    migrateSqlite(sqlite, migrationsFor("sqlite"), observer.migrating);
    sqlite.pragma("busy_timeout = 0");
    // A killed process may have left erased data in the log.
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const dialect = new NonBlockingSqliteDialect({
    database: cachingStatements(sqlite),
    isInTransaction: () => sqlite.inTransaction,
    ...WAITS,
    ...waits,
  });
  const db = new Kysely<Tables>({ dialect, log: reportQueriesTo(observer) });
  // A transaction holds the only write lock from its start, so it needs no other locks.
  const locks = {
    lockNames: async () => {},
    lockingRows: <Query>(query: Query) => query,
  };
  const insertAll = createInsertAll(sqlite, observer);
  const log = createTruncateLog(db);
  const inTransaction = createInTransaction(db, { ...locks, insertAll }, observer);
  return {
    db,
    inTransaction,
    check: () => inTransaction(({ db }) => writeValue(db, "written-at", new Date().toISOString())),
    now: steadyClock(),
    truncateLog: log.truncateLog,
    writers: 1,
    async close() {
      log.stop();
      await db.destroy();
      // Kysely does not close a database on which it has run no query.
      sqlite.close();
    },
  };
}

function openFile(file: string): BetterSqlite3.Database {
  try {
    keepPrivate(file);
    const sqlite = new BetterSqlite3(file);
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_AT_START}`);
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("foreign_keys = ON");
    // Without it, erased data stays in free pages of the file, and is copied to the log with them.
    sqlite.pragma("secure_delete = ON");
    sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return sqlite;
  } catch (error) {
    throw new DatabaseUnusable(`cannot open the SQLite file ${file}: ${reasonOf(error)}`);
  }
}

/**
 * Caches prepared statements by their SQL text; Kysely's driver would prepare one for every query.
 */
function cachingStatements(sqlite: BetterSqlite3.Database): SqliteDatabase {
  const statements = new Map<string, BetterSqlite3.Statement<unknown[]>>();
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) {
        statement = sqlite.prepare(sql);
        if (statements.size >= CACHED_STATEMENTS) statements.clear();
        statements.set(sql, statement);
      }
      const prepared = statement;
      return {
        reader: prepared.reader,
        all: (parameters) => prepared.all(...parameters),
        run: (parameters) => prepared.run(...parameters),
        iterate: (parameters) => prepared.iterate(...parameters),
      };
    },
  };
}

type Statement = BetterSqlite3.Statement<unknown[]>;

/**
 * `insertAll` of SQLite: one prepared statement for each table, run once for each row. That is
 * faster than one statement with many rows, which the triggers make SQLite copy to a temporary
 * table first.
 */
function createInsertAll(sqlite: BetterSqlite3.Database, observer: DatabaseObserver) {
  const statements = new Map<string, Statement>();

  function statementFor(table: string, columns: readonly string[]): Statement {
    const names = columns.map((column) => `"${column}"`).join(", ");
    const text = `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`;
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = sqlite.prepare<unknown[]>(text);
    statements.set(text, statement);
    return statement;
  }

  function insert(table: string, rows: readonly object[]): void {
    const columns = Object.keys(rows[0] ?? {});
    if (columns.length === 0) return;
    const statement = statementFor(table, columns);
    for (const row of rows)
      statement.run(...columns.map((column) => Reflect.get(row, column) ?? null));
  }

  return async (_transaction: unknown, all: NewRows): Promise<void> => {
    const begun = performance.now();
    try {
      for (const [table, rows] of Object.entries(all)) insert(table, rows);
    } catch (error) {
      // Kysely's log does not see these statements.
      if (isDatabaseUnavailable(error)) observer.unavailable(error);
      throw error;
    }
    observer.answered(performance.now() - begun);
  };
}

/** The retry delay while another process, such as a backup, uses the log; in milliseconds. */
const TRUNCATE_RETRY_DELAY = 30_000;

/** Truncates the write-ahead log. Retries while another process uses the log. */
export function createTruncateLog(db: Kysely<Tables>, retryDelay = TRUNCATE_RETRY_DELAY) {
  let retry: NodeJS.Timeout | undefined;

  async function truncateLog(): Promise<void> {
    clearTimeout(retry);
    if (await isTruncated(db)) return;
    retry = setTimeout(() => void truncateLog(), retryDelay);
    retry.unref();
  }
  return { truncateLog, stop: () => clearTimeout(retry) };
}

async function isTruncated(db: Kysely<Tables>): Promise<boolean> {
  try {
    const checkpoint = sql<{ busy: number }>`pragma wal_checkpoint(truncate)`;
    const [row] = (await checkpoint.execute(db)).rows;
    return row?.busy === 0;
  } catch {
    // A full disk, for example. The caller's transaction is committed already, so it must not fail.
    return false;
  }
}
