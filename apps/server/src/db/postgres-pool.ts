import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { beginWithNext } from "./begin-with-next.ts";
import type { DatabaseObserver } from "./database.ts";
import { Overloaded } from "./faults.ts";

/** The pool size of one server process. */
const CONNECTIONS = 10;
/** The timeout for getting a connection from the pool, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;
/**
 * How many queries and transactions may wait for a connection. Frequent work is grouped, so few
 * wait.
 */
const MAX_WAITING = 1_000;
/**
 * The client's timeout for a query, in milliseconds; PostgreSQL's own `statement_timeout` is
 * shorter.
 */
const QUERY_TIMEOUT = 20_000;
/**
 * Session settings that the shop relies on, set independently of the server's defaults. They are
 * sent as a query and not as connection parameters, because some connection poolers reject those.
 */
const SESSION = `SET statement_timeout = '15s';
  SET lock_timeout = '3s';
  SET idle_in_transaction_session_timeout = '15s';
  SET default_transaction_isolation = 'read committed';
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

/** The answer to `BEGIN`. */
const BEGUN = { command: "BEGIN", rowCount: 0, oid: 0, fields: [], rows: [] };

/** Identifies the shop's connections in `pg_stat_activity`. */
export const APPLICATION_NAME = "keepsats";

/** The options for every connection to PostgreSQL: of the pool, the bus and the migrations. */
export function connectionOptions(url: string): pg.ClientConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return {
    connectionString: url,
    types,
    application_name: APPLICATION_NAME,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
  };
}

/** Limits of the connection pool; tests set smaller ones. */
export interface PoolLimits {
  /** The timeout for a query, in milliseconds; its connection is closed. */
  readonly queryWithin?: number | undefined;
  /**
   * How many callers may wait for a connection; further ones are rejected with {@link Overloaded}.
   */
  readonly maxWaiting?: number | undefined;
}

/**
 * The connection pool of one process, as Kysely expects it. A connection whose query timed out is
 * closed: the `pg` client would reuse it, and the next queries would wait behind the one that
 * hangs.
 */
export function createPool(
  url: string,
  observer: DatabaseObserver,
  { queryWithin = QUERY_TIMEOUT, maxWaiting = MAX_WAITING }: PoolLimits = {},
): PostgresPool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    query_timeout: queryWithin,
    max: CONNECTIONS,
    // Statements are sent without waiting for the answers to those before them.
    pipeline: true,
  });
  // The query that uses a broken connection rejects. An "error" event without a listener would end
  // the process.
  pool.on("error", nothing);
  pool.on("connect", (client) => {
    client.on("error", nothing);
    // Runs before any other query of this connection, because a client runs its queries in order.
    client.query(SESSION).catch(observer.unavailable);
  });
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // The pool counts a caller as waiting until the next tick, even when a connection is free for
      // it.
      const free = CONNECTIONS - pool.totalCount + pool.idleCount;
      if (pool.waitingCount - free >= maxWaiting)
        throw new Overloaded(`${maxWaiting} requests wait for a connection already`);
      const client = await pool.connect().catch((error: unknown) => {
        const why = explainTimeout(error);
        observer.unavailable(why);
        throw why;
      });
      const known = guarded.get(client) ?? guard(client);
      guarded.set(client, known);
      return known;
    },
  };
}

/** Rewords the pool's timeout error, which reads as if the database were unreachable. */
function explainTimeout(error: unknown): unknown {
  if (!(error instanceof Error) || error.message !== "timeout exceeded when trying to connect")
    return error;
  return new Error(`${error.message}: all ${CONNECTIONS} connections are in use or being opened`, {
    cause: error,
  });
}

/**
 * A client that is closed when one of its queries has timed out, and that sends `BEGIN` with the
 * next statement.
 */
function guard(client: pg.PoolClient): PostgresPoolClient {
  async function send(text: string, values: unknown[]) {
    try {
      return await client.query(text, values);
    } catch (error) {
      const isTimeout = error instanceof Error && error.message === "Query read timeout";
      if (isTimeout && "end" in client && typeof client.end === "function")
        client.end().catch(nothing);
      throw error;
    }
  }
  const query = beginWithNext(send, BEGUN);
  return Object.assign(Object.create(client), { query });
}

function nothing(): void {}
