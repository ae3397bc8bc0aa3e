import BetterSqlite3 from "better-sqlite3";
import { Kysely, type SqliteDatabase } from "kysely";
import { type Database, DatabaseUnusable, logTo, transactionsOf, unobserved } from "./database.ts";
import { writeFact } from "./facts.ts";
import type { QueueLimits } from "./in-groups.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { keepPrivate } from "./private-files.ts";
import { steadyClock } from "./shared-clock.ts";
import { PatientSqliteDialect, type SharedSqlite } from "./sqlite-driver.ts";
import type { Tables } from "./tables.ts";

const CACHED_STATEMENTS = 200;
/**
 * How many pages of 4 KB gather in the log before a commit has to carry them into the file. With SQLite's own 1,000 one
 * order in a hundred waited for that, and twice as long when a million were stored.
 */
const PAGES_IN_LOG = 4_000;

/** How long another program's lock may take, in milliseconds, while the database is opened: nobody is served yet. */
const BUSY_AT_START = 5_000;
const WAITS: SqliteWaits = { lockWait: 5_000, maxWaiting: 1_000, maxWait: 10_000 };

/** What may wait for the database, and for how long. */
export type SqliteWaits = Pick<SharedSqlite, "lockWait" | keyof QueueLimits>;

/**
 * Opens the shop's SQLite file, creates it where there is none, and brings its tables up to date.
 *
 * Every commit is on the disk when it returns (WAL, `synchronous=FULL`).
 *
 * @throws {DatabaseUnusable} when the file cannot be opened, is no database, or belongs to a newer version
 */
export function openSqlite(file: string, observer = unobserved, waits: Partial<SqliteWaits> = {}): Database {
  const sqlite = openFile(file);
  try {
    migrateSqlite(sqlite);
    sqlite.pragma("busy_timeout = 0");
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const dialect = new PatientSqliteDialect({
    database: cachingStatements(sqlite),
    isInTransaction: () => sqlite.inTransaction,
    ...WAITS,
    ...waits,
  });
  const db = new Kysely<Tables>({ dialect, log: logTo(observer) });
  // A transaction holds the one write lock from its start.
  const inTransaction = transactionsOf(db, async () => {}, observer);
  return {
    db,
    inTransaction,
    check: () => inTransaction(({ db }) => writeFact(db, "written-at", new Date().toISOString())),
    now: steadyClock(),
    writers: 1,
    async close() {
      await db.destroy();
      // Kysely closes only what it has used.
      sqlite.close();
    },
  };
}

function openFile(file: string): BetterSqlite3.Database {
  try {
    keepPrivate(file);
    const sqlite = new BetterSqlite3(file);
    sqlite.pragma(`busy_timeout = ${BUSY_AT_START}`);
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma(`wal_autocheckpoint = ${PAGES_IN_LOG}`);
    return sqlite;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseUnusable(`cannot open the SQLite file ${file}: ${reason}`);
  }
}

/** Prepares each SQL text once, which Kysely's own driver does anew for every query. */
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
