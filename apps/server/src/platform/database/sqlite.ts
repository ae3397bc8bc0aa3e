import BetterSqlite3 from "better-sqlite3";
import { Kysely, sql } from "kysely";
import { reasonOf } from "../errors.ts";
import { steadyClock } from "../scheduling/clock.ts";
import {
  createInTransaction,
  type Database,
  DatabaseUnusable,
  reportQueriesTo,
  unobserved,
} from "./database.ts";
import { writeValue } from "./key-values.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { migrationsFor } from "./migrations.ts";
import { keepPrivate } from "./private-files.ts";
import { createSharedSqliteDialect, type SqliteWaits } from "./sqlite-driver.ts";
import { cachingStatements, createTransactionDialect } from "./sqlite-statements.ts";
import type { Tables } from "./tables.ts";

/**
 * The size of the write-ahead log, in pages of 4 KB, at which a commit runs a checkpoint. With
 * SQLite's default of 1,000 one order in a hundred waited for a checkpoint, and twice as long in a
 * database of a million orders.
 */
const CHECKPOINT_PAGES = 4_000;

/** SQLite's timeout for the write lock while the database is opened, in milliseconds. */
const BUSY_TIMEOUT_AT_START = 5_000;
/** Shorter, because this wait blocks the process. Transactions wait without it. */
const BUSY_TIMEOUT = 20;
const WAITS: SqliteWaits = { lockWait: 5_000, maxWaiting: 1_000, maxWait: 10_000 };

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
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    // A killed process may have left erased data in the log.
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const database = cachingStatements(sqlite);
  const dialect = createSharedSqliteDialect({
    database,
    beginAtOnce: () => beginAtOnce(sqlite),
    isInTransaction: () => sqlite.inTransaction,
    ...WAITS,
    ...waits,
  });
  const db = new Kysely<Tables>({ dialect, log: reportQueriesTo(observer) });
  const inTransaction = createInTransaction(
    db,
    createTransactionDialect(database, observer),
    observer,
  );
  return {
    db,
    inTransaction,
    check: () => inTransaction(({ db }) => writeValue(db, "written-at", new Date().toISOString())),
    now: steadyClock(),
    truncateLog: () => truncateLog(db),
    writers: 1,
    async close() {
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

/** `exec` takes a third of the time of `pragma`. */
function beginAtOnce(sqlite: BetterSqlite3.Database): void {
  try {
    sqlite.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE");
  } finally {
    sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

/**
 * Truncates the write-ahead log, unless another process uses it: the copy of a running backup has
 * the erased data anyway.
 */
async function truncateLog(db: Kysely<Tables>): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch {
    // A full disk, for example. The caller's transaction is already committed, so it must not fail.
  }
}
