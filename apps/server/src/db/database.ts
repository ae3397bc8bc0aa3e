import type { Kysely, LogEvent, Transaction } from "kysely";
import type { Clock } from "../clock.ts";
import { isDatabaseAway } from "./faults.ts";
import type { Tables } from "./tables.ts";

/** Where queries run: the database itself, or a transaction of it. */
export type Queries = Kysely<Tables> | Transaction<Tables>;

/** One transaction: everything done through `db` is stored together or not at all. */
export interface UnitOfWork {
  readonly db: Transaction<Tables>;
  /** Has `work` done once the transaction is committed, and never if it is not. */
  afterCommit(work: () => void): void;
  /**
   * Waits until no other transaction holds the locks of these names, and holds them until this one ends. They are taken
   * in one order everywhere, so that two transactions never wait for each other. Whoever decides on what it has read
   * takes one; where transactions run one after another anyway, it is held already.
   */
  lock(...names: string[]): Promise<void>;
}

/** The open database of the shop. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** Runs `work` in one transaction; it may run again where the database has undone it, and must begin anew then. */
  inTransaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  /** Resolves when the database has stored something. It waits for no other process that does the same. */
  check(): Promise<void>;
  /**
   * The time that all processes on this database agree on, in whole epoch milliseconds: for leases and everything else
   * that they do in turn.
   */
  readonly now: Clock;
  /** How many transactions it is worth to have under way at once. */
  readonly writers: number;
  close(): Promise<void>;
}

/** Hears how the database does. */
export interface DatabaseObserver {
  /** A query was answered, after so many milliseconds. */
  answered(milliseconds: number): void;
  /** A transaction was committed: the database can be written to. */
  committed(): void;
  /** The database could not be reached, or not written to. */
  away(error: unknown): void;
  /** What was to be done after a commit could not be done; what was stored stays stored. */
  followUpFailed(error: unknown): void;
}

/** Hears nothing. */
export const unobserved: DatabaseObserver = {
  answered() {},
  committed() {},
  away() {},
  followUpFailed() {},
};

/** The database cannot be used as it is; the message is one line for the person who starts the server. */
export class DatabaseUnusable extends Error {
  override readonly name: string = "DatabaseUnusable";
}

/** The database cannot be reached at the moment; the same may work later. */
export class DatabaseUnreachable extends DatabaseUnusable {
  override readonly name = "DatabaseUnreachable";
}

/** A database that something is to be put into has something in it already. */
export function notEmpty(): DatabaseUnusable {
  return new DatabaseUnusable(
    "the database is not empty; stop the shop, and add --force to replace what is in it",
  );
}

/** Tells an observer of every query, in the form in which Kysely takes it. */
export function logTo(observer: DatabaseObserver): (event: LogEvent) => void {
  return (event) => {
    if (event.level === "error") {
      if (isDatabaseAway(event.error)) observer.away(event.error);
      return;
    }
    observer.answered(event.queryDurationMillis);
    if (event.query.sql === "commit") observer.committed();
  };
}

/** A {@link Database.inTransaction} over any Kysely, with its way to take a lock. */
export function transactionsOf(
  db: Kysely<Tables>,
  lock: (transaction: Transaction<Tables>, names: readonly string[]) => Promise<void>,
  observer: DatabaseObserver,
): Database["inTransaction"] {
  return async (work) => {
    const followUps: (() => void)[] = [];
    const result = await db.transaction().execute((transaction) =>
      work({
        db: transaction,
        afterCommit: (followUp) => followUps.push(followUp),
        lock: (...names) => lock(transaction, names.toSorted()),
      }),
    );
    for (const followUp of followUps) {
      try {
        followUp();
      } catch (error) {
        observer.followUpFailed(error);
      }
    }
    return result;
  };
}
