import BetterSqlite3 from "better-sqlite3";
import { Kysely, type SqliteDatabase } from "kysely";
import { reasonOf } from "../errors.ts";
import {
  createInTransaction,
  type Database,
  DatabaseUnusable,
  reportQueriesTo,
  unobserved,
} from "./database.ts";
import { writeFact } from "./facts.ts";
import { createInsertAllIntoSqlite } from "./insert-all-sqlite.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { migrationsFor } from "./migrations.ts";
import { keepPrivate } from "./private-files.ts";
import { steadyClock } from "./shared-clock.ts";
import { NonBlockingSqliteDialect, type SharedSqlite } from "./sqlite-driver.ts";
import type { Tables } from "./tables.ts";
import type { QueueLimits } from "./timed-queue.ts";
import { createTruncateLog } from "./truncate-log.ts";

const CACHED_STATEMENTS = 200;
/**
 * The size of the write-ahead log, in pages of 4 KB, at which a commit runs a checkpoint. With
 * SQLite's default of 1,000 one order in a hundred waited for a checkpoint, and twice as long in a
 * database of a million orders.
 */
const CHECKPOINT_PAGES = 4_000;

/**
 * SQLite's own lock timeout while the database is opened, in milliseconds. It blocks, but no
 * requests are served yet.
 */
const BUSY_TIMEOUT_AT_START = 5_000;
const WAITS: SqliteWaits = { lockWait: 5_000, maxWaiting: 1_000, maxWait: 10_000 };

/** The limits of the queue for the connection, and the timeout for the write lock. */
export type SqliteWaits = Pick<SharedSqlite, "lockWait" | keyof QueueLimits>;

/**
 * Opens the shop's SQLite file, creates it if it does not exist, and runs missing migrations.
 *
 * Every commit is on the disk when it returns (WAL, `synchronous=FULL`).
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
  // No further locks are needed: a transaction holds the only write lock from its start.
  const locks = {
    lockNames: async () => {},
    lockingRows: <Query>(query: Query) => query,
  };
  const insertAll = createInsertAllIntoSqlite(sqlite, observer);
  const log = createTruncateLog(db);
  const inTransaction = createInTransaction(db, { ...locks, insertAll }, observer);
  return {
    db,
    inTransaction,
    check: () => inTransaction(({ db }) => writeFact(db, "written-at", new Date().toISOString())),
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
    // Without it, erased data stays in free space of the file, and rewritten pages copy it to the
    // log.
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
