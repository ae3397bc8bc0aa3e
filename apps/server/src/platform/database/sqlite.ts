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
import { NonBlockingSqliteDialect, type SharedSqlite } from "./sqlite-driver.ts";
import { cachingStatements, createTransactionDialect } from "./sqlite-statements.ts";
import type { Tables } from "./tables.ts";
import type { QueueLimits } from "./timed-queue.ts";

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
  const log = createTruncateLog(db);
  const inTransaction = createInTransaction(
    db,
    createTransactionDialect(sqlite, observer),
    observer,
  );
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
    // A full disk, for example. The caller's transaction is already committed, so it must not fail.
    return false;
  }
}
