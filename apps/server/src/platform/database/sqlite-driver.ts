import { setTimeout as pause } from "node:timers/promises";
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
import { backoff } from "../scheduling/clock.ts";
import { isLocked } from "./faults.ts";
import { type QueueLimits, TimedQueue } from "./timed-queue.ts";

/** The exponential backoff between retries on a locked database, in milliseconds. */
const FIRST_BACKOFF = 1;
const MAX_BACKOFF = 25;
/**
 * Each query retries for at least this long, even when earlier ones have used up `lockWait`; in
 * milliseconds.
 */
const MIN_LOCK_WAIT = 500;

/** One SQLite connection that all queries share. Its `busy_timeout` must be 0. */
export interface SharedSqlite extends QueueLimits {
  readonly database: SqliteDatabase;
  readonly isInTransaction: () => boolean;
  /** How long another process may hold the write lock before writes fail, in milliseconds. */
  readonly lockWait: number;
}

/**
 * A SQLite dialect that never blocks the event loop. SQLite's `busy_timeout` waits for a lock
 * synchronously; here, a query that finds the database locked by another process releases the
 * connection and retries after a backoff. Other queries run in the meantime, for example reads,
 * which need no lock.
 */
export class NonBlockingSqliteDialect extends SqliteDialect {
  readonly #shared: SharedSqlite;

  constructor(shared: SharedSqlite) {
    super({ database: shared.database });
    this.#shared = shared;
  }

  override createDriver(): SqliteDriver {
    return new NonBlockingSqliteDriver(this.#shared);
  }

  override createAdapter(): SqliteAdapter {
    return new QueuedSqliteAdapter();
  }
}

/**
 * Turns off Kysely's own mutex: the driver's queue must be able to release the connection during a
 * query.
 */
class QueuedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class NonBlockingSqliteDriver extends SqliteDriver {
  readonly #shared: SharedSqlite;
  readonly #queue: ConnectionQueue;
  #connection: NonBlockingConnection | undefined;

  constructor(shared: SharedSqlite) {
    super({ database: shared.database });
    this.#shared = shared;
    this.#queue = new ConnectionQueue(shared);
  }

  override async init(): Promise<void> {
    await super.init();
    this.#connection = new NonBlockingConnection(
      await super.acquireConnection(),
      this.#queue,
      this.#shared,
    );
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === undefined) throw new Error("the driver is not initialised");
    await this.#queue.acquire();
    return this.#connection;
  }

  override async releaseConnection(): Promise<void> {
    this.#queue.release();
  }

  /**
   * Takes the write lock at the start: a transaction that reads first could fail when it upgrades
   * to a write lock.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /**
   * On a full disk SQLite rolls back by itself. A second rollback would throw and hide the first
   * error.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#shared.isInTransaction()) await super.rollbackTransaction(connection);
  }
}

/** The one connection. Only the holder of the queue may call it. */
class NonBlockingConnection implements DatabaseConnection {
  readonly #sqlite: DatabaseConnection;
  readonly #queue: ConnectionQueue;
  readonly #shared: SharedSqlite;
  /**
   * When queries first and last found the write lock held by another process; `undefined` after a
   * query that got it.
   */
  #locked: { readonly since: number; seenAt: number } | undefined;

  constructor(sqlite: DatabaseConnection, queue: ConnectionQueue, shared: SharedSqlite) {
    this.#sqlite = sqlite;
    this.#queue = queue;
    this.#shared = shared;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const begun = performance.now();
    for (let failures = 0; ; failures += 1) {
      try {
        const result = await this.#sqlite.executeQuery<R>(query);
        if (!SelectQueryNode.is(query.query)) this.#locked = undefined;
        return result;
      } catch (error) {
        if (!isLocked(error) || !this.#mayRetry(begun)) throw error;
      }
      await this.#releaseFor(backoff(failures, FIRST_BACKOFF, MAX_BACKOFF));
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#sqlite.streamQuery(query, chunkSize);
  }

  /** Inside a transaction a query never retries: the transaction already holds the lock. */
  #mayRetry(begun: number): boolean {
    const now = performance.now();
    const deadline = Math.max(
      this.#lockedSince(begun, now) + this.#shared.lockWait,
      begun + MIN_LOCK_WAIT,
    );
    return now < deadline && !this.#shared.isInTransaction();
  }

  /** If no query has met a lock for `lockWait`, a lock is assumed to be a new one. */
  #lockedSince(begun: number, now: number): number {
    if (this.#locked === undefined || begun - this.#locked.seenAt > this.#shared.lockWait)
      this.#locked = { since: begun, seenAt: now };
    this.#locked.seenAt = now;
    return this.#locked.since;
  }

  async #releaseFor(milliseconds: number): Promise<void> {
    this.#queue.release();
    await pause(milliseconds);
    await this.#queue.reacquire();
  }
}

interface Waiter {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A first-in, first-out mutex for the connection, which limits the queue and the wait. */
class ConnectionQueue {
  readonly #waiters: TimedQueue<Waiter>;
  #isHeld = false;

  constructor(limits: QueueLimits) {
    this.#waiters = new TimedQueue(limits);
  }

  /**
   * Waits until the connection is free. The caller holds it until it calls {@link release}.
   *
   * @throws {Overloaded} at once when `maxWaiting` callers already wait, or after `maxWait`
   *   milliseconds
   */
  async acquire(): Promise<void> {
    if (this.#isHeld) this.#waiters.checkRoom();
    await this.#wait(performance.now());
  }

  /** Never rejects: for a caller that has released the connection during its work. */
  async reacquire(): Promise<void> {
    await this.#wait(Number.POSITIVE_INFINITY);
  }

  /** Hands the connection to the next waiter. */
  release(): void {
    const [next] = this.#waiters.take(1);
    if (next === undefined) this.#isHeld = false;
    else next.resolve();
  }

  async #wait(since: number): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ since, resolve, reject });
    await promise;
  }
}
