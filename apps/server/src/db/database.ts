import type { Insertable, Kysely, LogEvent, Transaction } from "kysely";
import type { Clock } from "../clock.ts";
import { isDatabaseUnavailable } from "./faults.ts";
import type { Tables } from "./tables.ts";

/** Where queries run: the database itself, or a transaction of it. */
export type Queries = Kysely<Tables> | Transaction<Tables>;

/** One transaction: everything done through `db` is committed together or rolled back together. */
export interface UnitOfWork {
  readonly db: Transaction<Tables>;
  /** Calls `work` after the commit; never, if the transaction is rolled back. */
  afterCommit(work: () => void): void;
  /**
   * Locks these names until the transaction ends; waits while another transaction holds one of
   * them. A transaction that writes what follows from what it has read needs such a lock. The names
   * of one call are locked in sorted order, to avoid deadlocks. On SQLite this does nothing:
   * transactions run one after another there.
   *
   * Example: `await unit.lock(orderId)` before the order is read and changed.
   */
  lock(...names: string[]): Promise<void>;
  /**
   * Inserts rows into one or several tables, in the order in which the tables are named. It costs a
   * small part of an insert through `db`, which builds its statement anew for each number of rows.
   *
   * @example
   * await unit.insertAll({ orders: [order], order_lines: lines });
   */
  insertAll(rows: NewRows): Promise<void>;
  /**
   * Makes a query lock the rows that it reads, in their order, until the transaction ends. The
   * query names an order, so that two transactions never wait for each other. On SQLite it is the
   * query as it is.
   *
   * Example: `await
   * unit.lockingRows(unit.db.selectFrom("items").selectAll().orderBy("id")).execute()`
   */
  lockingRows<Query extends Lockable<Query>>(query: Query): Query;
}

/**
 * Rows by their table. The first row of a table names the columns that are stored; a row without
 * one of them stores `NULL`.
 */
export type NewRows = { readonly [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] };

/** A query that can lock the rows that it reads. */
interface Lockable<Query> {
  forUpdate(): Query;
}

/** The open database of the shop. */
export interface Database {
  readonly db: Kysely<Tables>;
  /**
   * Runs `work` in one transaction. On PostgreSQL a transaction that lost a deadlock is retried, so
   * `work` may run several times and must not keep state from an earlier run.
   */
  inTransaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  /**
   * Resolves after a test write is committed. Checks of several processes do not wait for each
   * other.
   */
  check(): Promise<void>;
  /**
   * A clock that all processes on this database share, in whole epoch milliseconds: for leases and
   * rate budgets.
   */
  readonly now: Clock;
  /**
   * Removes erased data from SQLite's write-ahead log: now, or later if another process is using
   * the log. A no-op on PostgreSQL.
   */
  truncateLog(): Promise<void>;
  /** How many group commits one process runs at the same time; more would not be faster. */
  readonly writers: number;
  close(): Promise<void>;
}

/** Callbacks for metrics and logs. */
export interface DatabaseObserver {
  /** A query succeeded; it took so many milliseconds. */
  answered(milliseconds: number): void;
  /** A transaction was committed, so the database accepts writes. */
  committed(): void;
  /** A query failed because the database was unreachable or did not accept writes. */
  unavailable(error: unknown): void;
  /** A callback of {@link UnitOfWork.afterCommit} threw. The transaction stays committed. */
  afterCommitFailed(error: unknown): void;
  /** Progress of a migration, for the log. */
  migrating(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** An observer that does nothing. */
export const unobserved: DatabaseObserver = {
  answered() {},
  committed() {},
  unavailable() {},
  afterCommitFailed() {},
  migrating() {},
};

/**
 * The database cannot be used as it is. The message is one line for the person who starts the
 * server.
 */
export class DatabaseUnusable extends Error {
  override readonly name: string = "DatabaseUnusable";
}

/**
 * The database cannot be reached at the moment, or other programs use what must be changed; a retry
 * may succeed.
 */
export class DatabaseUnreachable extends DatabaseUnusable {
  override readonly name = "DatabaseUnreachable";
}

/** The error for a restore or copy into a database that already has rows. */
export function notEmpty(): DatabaseUnusable {
  return new DatabaseUnusable(
    "the database is not empty; stop the shop, and add --force to replace what is in it",
  );
}

/** A log function for Kysely that reports every query to the observer. */
export function reportQueriesTo(observer: DatabaseObserver): (event: LogEvent) => void {
  return (event) => {
    if (event.level === "error") {
      if (isDatabaseUnavailable(event.error)) observer.unavailable(event.error);
      return;
    }
    // On PostgreSQL the answer to BEGIN is given before there is one: it does not say that the
    // database answers.
    if (event.query.sql === "begin") return;
    observer.answered(event.queryDurationMillis);
    if (event.query.sql === "commit") observer.committed();
  };
}

/** How a kind of database locks and inserts. */
interface Kind {
  readonly lockNames: (transaction: Transaction<Tables>, names: readonly string[]) => Promise<void>;
  readonly lockingRows: UnitOfWork["lockingRows"];
  readonly insertAll: (transaction: Transaction<Tables>, rows: NewRows) => Promise<void>;
}

/** Implements {@link Database.inTransaction}. */
export function createInTransaction(
  db: Kysely<Tables>,
  kind: Kind,
  observer: DatabaseObserver,
): Database["inTransaction"] {
  return async (work) => {
    const callbacks: (() => void)[] = [];
    const result = await db.transaction().execute((transaction) =>
      work({
        db: transaction,
        afterCommit: (callback) => callbacks.push(callback),
        lock: (...names) => kind.lockNames(transaction, names.toSorted()),
        insertAll: (rows) => kind.insertAll(transaction, rows),
        lockingRows: kind.lockingRows,
      }),
    );
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        observer.afterCommitFailed(error);
      }
    }
    return result;
  };
}
