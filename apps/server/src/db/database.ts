import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/** Where queries run: the database itself, or a transaction of it. */
export type Queries = Kysely<Tables> | Transaction<Tables>;

/** One transaction: everything done through `db` is stored together or not at all. */
export interface UnitOfWork {
  readonly db: Transaction<Tables>;
  /** Has `work` done once the transaction is committed, and never if it is not. */
  afterCommit(work: () => void): void;
}

/** The open database of the shop. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** Runs `work` in one transaction that holds the database's write lock from its start. */
  inTransaction<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  /** Resolves when the database answers a query. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be used as it is; the message is one line for the person who starts the server. */
export class DatabaseUnusable extends Error {
  override readonly name = "DatabaseUnusable";
}

/** A {@link Database.check} over any Kysely. */
export function checkOf(db: Kysely<Tables>): Database["check"] {
  return async () => {
    await db.selectFrom("facts").select("name").limit(1).execute();
  };
}

/** A {@link Database.inTransaction} over any Kysely. */
export function transactionsOf(db: Kysely<Tables>): Database["inTransaction"] {
  return async (work) => {
    const followUps: (() => void)[] = [];
    const result = await db
      .transaction()
      .execute((transaction) =>
        work({ db: transaction, afterCommit: (followUp) => followUps.push(followUp) }),
      );
    for (const followUp of followUps) followUp();
    return result;
  };
}
