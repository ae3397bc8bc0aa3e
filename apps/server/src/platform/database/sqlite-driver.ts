import { setTimeout as pause } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { isLocked } from "./faults.ts";
import { type QueueLimits, TimedQueue } from "./timed-queue.ts";

/** The pause before another attempt to take the write lock, in milliseconds. */
const LOCK_PAUSE = 20;

/** The limits of the queue for the connection, and of the wait for the write lock. */
export interface SqliteWaits extends QueueLimits {
  /** How long a transaction waits for another program's lock, in milliseconds. */
  readonly lockWait: number;
}

/** One SQLite connection that all queries share. */
interface SharedSqlite extends SqliteWaits {
  readonly database: SqliteDatabase;
  /** Begins a transaction with the write lock. Throws at once if another program holds it. */
  readonly beginAtOnce: () => void;
  readonly isInTransaction: () => boolean;
}

/** Kysely's SQLite dialect, with another driver. */
export function createSharedSqliteDialect(shared: SharedSqlite): Dialect {
  return {
    createAdapter: () => new QueuedSqliteAdapter(),
    createDriver: () => new QueuedSqliteDriver(shared),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Turns off Kysely's own mutex, which the queue of the driver replaces. */
class QueuedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Waiter {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands the connection to queries and transactions in their order. The queue is limited:
 * {@link acquireConnection} rejects with `Overloaded` at once if `maxWaiting` callers wait already,
 * and after `maxWait` milliseconds.
 */
class QueuedSqliteDriver extends SqliteDriver {
  readonly #shared: SharedSqlite;
  readonly #waiters: TimedQueue<Waiter>;
  #isHeld = false;

  constructor(shared: SharedSqlite) {
    super({ database: shared.database });
    this.#shared = shared;
    this.#waiters = new TimedQueue(shared);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isHeld) {
      this.#waiters.checkRoom();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#waiters.push({ since: performance.now(), resolve, reject });
      await promise;
    }
    this.#isHeld = true;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const [next] = this.#waiters.take(1);
    if (next === undefined) this.#isHeld = false;
    else next.resolve();
  }

  /**
   * Takes the write lock at the start: a transaction that reads first could fail when it upgrades
   * to a write lock. While another program holds the lock, other queries use the connection.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = performance.now() + this.#shared.lockWait;
    do {
      try {
        return this.#shared.beginAtOnce();
      } catch (error) {
        if (!isLocked(error)) break;
      }
      await this.releaseConnection();
      do {
        await pause(LOCK_PAUSE);
      } while (this.#isHeld);
      this.#isHeld = true;
    } while (performance.now() < deadline);
    // Kysely's log gets the error of this last attempt.
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
