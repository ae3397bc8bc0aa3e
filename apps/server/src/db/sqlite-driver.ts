import { setTimeout as sleep } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import { isLocked } from "./faults.ts";
import type { QueueLimits } from "./in-groups.ts";
import { Turns } from "./turns.ts";

/** The first and the longest pause before a locked database is tried again, in milliseconds. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 25;
/** The least time that one query waits for a lock, even when the lock has already outlasted `lockWait` for others; in milliseconds. */
const LEAST_PATIENCE = 500;

/** A SQLite file that is asked over one connection, whose own `busy_timeout` is 0. */
export interface SharedSqlite extends QueueLimits {
  readonly database: SqliteDatabase;
  readonly isInTransaction: () => boolean;
  /** How long another program may hold the write lock before what needs it fails, in milliseconds. */
  readonly lockWait: number;
}

/**
 * SQLite that never holds up the process. Its own way to wait for a lock, `busy_timeout`, stops everything else; here,
 * who finds the database locked by another program lets others have the turn and tries again a little later. What needs
 * no lock, such as reading, goes on meanwhile.
 */
export class PatientSqliteDialect extends SqliteDialect {
  readonly #shared: SharedSqlite;

  constructor(shared: SharedSqlite) {
    super({ database: shared.database });
    this.#shared = shared;
  }

  override createDriver(): SqliteDriver {
    return new PatientSqliteDriver(this.#shared);
  }

  /** The driver itself hands out the one connection, since it takes it back while it waits. */
  override createAdapter(): SqliteAdapter {
    return new SharingSqliteAdapter();
  }
}

class SharingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class PatientSqliteDriver extends SqliteDriver {
  readonly #shared: SharedSqlite;
  readonly #turns: Turns;
  #connection: PatientConnection | undefined;

  constructor(shared: SharedSqlite) {
    super({ database: shared.database });
    this.#shared = shared;
    this.#turns = new Turns(shared);
  }

  override async init(): Promise<void> {
    await super.init();
    this.#connection = new PatientConnection(await super.acquireConnection(), this.#turns, this.#shared);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === undefined) throw new Error("the driver is initialised before it is used");
    await this.#turns.take();
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {
    this.#turns.pass();
  }

  /** Takes the write lock when a transaction begins, so that none fails for having read first. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** A full disk has SQLite undo the transaction itself; a second rollback would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#shared.isInTransaction()) await super.rollbackTransaction(connection);
  }
}

/** The one connection, as used by whoever has the turn. */
class PatientConnection implements DatabaseConnection {
  readonly #sqlite: DatabaseConnection;
  readonly #turns: Turns;
  readonly #shared: SharedSqlite;
  /** Since when the write lock has been wanted in vain, and when it was last. */
  #locked: { readonly since: number; seenAt: number } | undefined;

  constructor(sqlite: DatabaseConnection, turns: Turns, shared: SharedSqlite) {
    this.#sqlite = sqlite;
    this.#turns = turns;
    this.#shared = shared;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const begun = performance.now();
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        const result = await this.#sqlite.executeQuery<R>(query);
        if (!SelectQueryNode.is(query.query)) this.#locked = undefined;
        return result;
      } catch (error) {
        if (!isLocked(error) || !this.#mayWaitLonger(begun)) throw error;
      }
      await this.#stepAside(pause);
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#sqlite.streamQuery(query, chunkSize);
  }

  /** Whether one who began to wait then may try again. A transaction, once begun, has the lock, and is never tried again. */
  #mayWaitLonger(begun: number): boolean {
    const now = performance.now();
    const until = Math.max(this.#lockedSince(begun, now) + this.#shared.lockWait, begun + LEAST_PATIENCE);
    return now < until && !this.#shared.isInTransaction();
  }

  /** Since when the lock that was found just now is held. After a long time in which nobody wanted it, it is another one. */
  #lockedSince(begun: number, now: number): number {
    if (this.#locked === undefined || begun - this.#locked.seenAt > this.#shared.lockWait)
      this.#locked = { since: begun, seenAt: now };
    this.#locked.seenAt = now;
    return this.#locked.since;
  }

  async #stepAside(milliseconds: number): Promise<void> {
    this.#turns.pass();
    await sleep(milliseconds);
    await this.#turns.retake();
  }
}
