import type { FastifyBaseLogger } from "fastify";
import {
  type Insertable,
  type Kysely,
  type LogEvent,
  PostgresAdapter,
  type Transaction,
} from "kysely";
import { reasonOf } from "../errors.ts";
import type { Clock } from "../scheduling/clock.ts";
import { isDatabaseUnavailable, isOnlyUnwritable } from "./faults.ts";
import type { Tables } from "./tables.ts";

/** The database, or a transaction of it. */
export type Queries = Kysely<Tables> | Transaction<Tables>;

/** One transaction: all queries through `db` are committed or rolled back together. */
export interface UnitOfWork {
  readonly db: Transaction<Tables>;
  /** Calls `work` after the commit; never after a rollback. */
  afterCommit(work: () => void): void;
  /**
   * Locks names until the transaction ends; waits while another transaction holds one of them. A
   * transaction whose writes depend on its reads needs such a lock. The names of one call are
   * locked in sorted order, to avoid deadlocks. A no-op on SQLite, where transactions are serial.
   *
   * Example: `await unit.lock(orderId)` before the order is read and changed.
   */
  lock(...names: string[]): Promise<void>;
  /**
   * Inserts rows into one or several tables, in the order of the tables. Much cheaper than an insert
   * through `db`, which builds its statement again for each number of rows.
   *
   * @example
   * await unit.insertAll({ orders: [order], order_lines: lines });
   * @returns the values of the clause `returning`
   */
  insertAll(rows: NewRows, clauses?: InsertClauses): Promise<readonly ReturnedValue[]>;
  /**
   * Makes a query lock the rows that it reads until the transaction ends. The query must be
   * ordered, so that transactions do not deadlock. A no-op on SQLite.
   *
   * Example: `await
   * unit.lockingRows(unit.db.selectFrom("items").selectAll().orderBy("id")).execute()`
   */
  lockingRows<Query extends Lockable<Query>>(query: Query): Query;
}

/**
 * Rows by table. The first row of a table determines the stored columns; a row without one of them
 * stores `NULL`.
 */
export type NewRows = { readonly [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] };

/** The end of the insert into one table, which has ids. SQL without parameters. */
export interface InsertClauses {
  readonly table: keyof Tables;
  /** Such as `(id) do nothing`. */
  readonly onConflict?: string;
  /** Computes a text from each new row. */
  readonly returning?: string;
}

export interface ReturnedValue {
  readonly id: string;
  readonly value: string;
}

export function endOfInsert(table: string, clauses: InsertClauses | undefined): string {
  if (clauses?.table !== table) return "";
  const { onConflict, returning } = clauses;
  return [
    ...(onConflict === undefined ? [] : [`on conflict ${onConflict}`]),
    ...(returning === undefined ? [] : [`returning id, ${returning} as value`]),
  ].join(" ");
}

interface Lockable<Query> {
  forUpdate(): Query;
}

export interface Database {
  readonly db: Kysely<Tables>;
  /**
   * Runs `work` in one transaction. PostgreSQL retries a transaction that lost a deadlock, so
   * `work` must not keep state from an earlier run.
   */
  inTransaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  /** Commits a test write. Concurrent checks do not wait for each other. */
  check(): Promise<void>;
  /** The clock that all processes share, in whole epoch milliseconds: for leases and budgets. */
  readonly now: Clock;
  /**
   * Removes erased data from SQLite's write-ahead log, unless another process uses the log. A no-op
   * on PostgreSQL.
   */
  truncateLog(): Promise<void>;
  /** The number of concurrent group commits of one process; more would not be faster. */
  readonly writers: number;
  close(): Promise<void>;
}

/** Callbacks for metrics and logs. */
export interface DatabaseObserver {
  /** A query succeeded. */
  answered(milliseconds: number): void;
  /** A transaction was committed, so the database accepts writes. */
  committed(): void;
  /** A query failed because the database is unreachable or not writable. */
  unavailable(error: unknown): void;
  /** A callback of {@link UnitOfWork.afterCommit} threw. The transaction stays committed. */
  afterCommitFailed(error: unknown): void;
  /** Progress of a migration, for the log. */
  migrating(message: string, details: Readonly<Record<string, unknown>>): void;
}

export const unobserved: DatabaseObserver = {
  answered() {},
  committed() {},
  unavailable() {},
  afterCommitFailed() {},
  migrating() {},
};

interface LoadObserver extends DatabaseObserver {
  /** All queries of this process since its start, and their total duration. */
  readonly load: { readonly up: boolean; readonly queries: number; readonly seconds: number };
}

/** Counts queries, and logs the start and the end of an outage of the database, once each. */
export function observeDatabase(log: FastifyBaseLogger): LoadObserver {
  /** `unreachable` ends with the next successful query, `unwritable` with the next commit. */
  let state: "up" | "unreachable" | "unwritable" = "up";
  let queries = 0;
  let milliseconds = 0;

  function recover(): void {
    state = "up";
    log.warn("the database answers again");
  }

  return {
    answered(took) {
      queries += 1;
      milliseconds += took;
      if (state === "unreachable") recover();
    },
    committed() {
      if (state === "unwritable") recover();
    },
    unavailable(error) {
      const next = isOnlyUnwritable(error) ? "unwritable" : "unreachable";
      if (state !== "up") return;
      state = next;
      log.error({ why: reasonOf(error) }, `the database is ${next}`);
    },
    afterCommitFailed(error) {
      log.error({ err: error }, "background work failed");
    },
    migrating(message, details) {
      log.info(details, message);
    },
    get load() {
      return { up: state === "up", queries, seconds: milliseconds / 1000 };
    },
  };
}

/** The database cannot be used as it is. The message is one line for the operator. */
export class DatabaseUnusable extends Error {
  override readonly name: string = "DatabaseUnusable";
}

/** The database is unreachable, or another program blocks a migration; a retry may succeed. */
export class DatabaseUnreachable extends DatabaseUnusable {
  override readonly name = "DatabaseUnreachable";
}

/** A log function for Kysely. */
export function reportQueriesTo(observer: DatabaseObserver): (event: LogEvent) => void {
  return (event) => {
    if (event.level === "error") {
      if (isDatabaseUnavailable(event.error)) observer.unavailable(event.error);
      return;
    }
    // On PostgreSQL BEGIN resolves before the server responds, so it does not prove that it does.
    if (event.query.sql === "begin") return;
    observer.answered(event.queryDurationMillis);
    if (event.query.sql === "commit") observer.committed();
  };
}

/** How a kind of database locks and inserts. */
export interface TransactionDialect {
  readonly lockNames: (transaction: Transaction<Tables>, names: readonly string[]) => Promise<void>;
  readonly lockingRows: UnitOfWork["lockingRows"];
  readonly insertAll: (
    transaction: Transaction<Tables>,
    rows: NewRows,
    clauses?: InsertClauses,
  ) => Promise<readonly ReturnedValue[]>;
}

/** Implements {@link Database.inTransaction}. */
export function createInTransaction(
  db: Kysely<Tables>,
  dialect: TransactionDialect,
  observer: DatabaseObserver,
): Database["inTransaction"] {
  return async (work) => {
    const callbacks: (() => void)[] = [];
    const result = await db.transaction().execute((transaction) =>
      work({
        db: transaction,
        afterCommit: (callback) => callbacks.push(callback),
        lock: (...names) => dialect.lockNames(transaction, names.toSorted()),
        insertAll: (rows, clauses) => dialect.insertAll(transaction, rows, clauses),
        lockingRows: dialect.lockingRows,
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

/** Whether queries run in another process, so that a long one does not block the event loop. */
export function isRemote(db: Queries): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Pads the keys of an `in (…)` clause to the next power of two by repeating the last key, so that
 * few different statements are prepared. Example: `["a", "b", "c"]` → `["a", "b", "c", "c"]`.
 */
export function padKeys<Key>(keys: readonly Key[]): Key[] {
  const [last] = keys.slice(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array<Key>(length - keys.length).fill(last)];
}
