import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { DatabaseObserver } from "./database.ts";
import { Overloaded } from "./faults.ts";

/** The pool size of one server process. */
const CONNECTIONS = 10;
/** The timeout for getting a connection from the pool, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;
/**
 * The maximum number of waiting queries and transactions. Frequent work is batched, so few wait.
 */
const MAX_WAITING = 1_000;
/** The client's query timeout in milliseconds, longer than PostgreSQL's `statement_timeout`. */
const QUERY_TIMEOUT = 20_000;
/**
 * Session settings, independent of the server's defaults. They are sent as a query and not as
 * connection parameters, because some connection poolers reject those.
 */
const SESSION = `SET statement_timeout = '15s';
  SET lock_timeout = '3s';
  SET idle_in_transaction_session_timeout = '15s';
  SET default_transaction_isolation = 'read committed';
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

const BEGUN = { command: "BEGIN", rowCount: 0, oid: 0, fields: [], rows: [] };

/** Identifies the shop's connections in `pg_stat_activity`. */
export const APPLICATION_NAME = "keepsats";

/** For every connection: of the pool, the bus and the migrations. */
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
  /** The query timeout in milliseconds; it closes the connection. */
  readonly queryWithin?: number | undefined;
  /** The maximum number of waiting callers; further ones are rejected with {@link Overloaded}. */
  readonly maxWaiting?: number | undefined;
}

/**
 * The connection pool of one process. A connection whose query timed out is closed: the `pg` client
 * would reuse it, and the next queries would wait behind the one that hangs.
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
    // Statements are sent without waiting for the results of earlier ones.
    pipeline: true,
  });
  // The query that uses a broken connection rejects. An "error" event without a listener would end
  // the process.
  pool.on("error", nothing);
  pool.on("connect", (client) => {
    client.on("error", nothing);
    // The first query of this connection, because a client runs its queries in order.
    client.query(SESSION).catch(observer.unavailable);
  });
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // Until the next tick the pool counts a caller as waiting even if a connection is free.
      const free = CONNECTIONS - pool.totalCount + pool.idleCount;
      if (pool.waitingCount - free >= maxWaiting)
        throw new Overloaded(`${maxWaiting} requests already wait for a connection`);
      const client = await pool.connect().catch((error: unknown) => {
        observer.unavailable(error);
        throw error;
      });
      const known = guarded.get(client) ?? guard(client);
      guarded.set(client, known);
      return known;
    },
  };
}

/**
 * A client that is closed when one of its queries times out, and that pipelines `BEGIN` with the
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
  const query = pipelineBegin(send, BEGUN);
  return Object.assign(Object.create(client), { query });
}

function nothing(): void {}

/** Sends a statement with its parameters. */
type Send<Result> = (text: string, values: unknown[]) => Promise<Result>;

/**
 * Sends `BEGIN` together with the next statement, which saves a round trip in each transaction.
 * Only a `select` is sent with it: if `BEGIN` failed, a write would be stored outside a
 * transaction.
 *
 * After a failed `BEGIN`, every statement is rejected with the same error until the next `BEGIN`.
 * Kysely then closes the connection, because its `rollback` is rejected too.
 *
 * @param send sends without waiting for the results of earlier statements
 * @param begun the result of `BEGIN`, which is returned at once
 */
export function pipelineBegin<Result>(send: Send<Result>, begun: Result): Send<Result> {
  /** The result of `BEGIN`, until it has succeeded. */
  let beginning: Promise<unknown> | undefined;

  function begin(text: string, values: unknown[]): void {
    const sent = send(text, values);
    beginning = sent;
    const succeed = () => {
      if (beginning === sent) beginning = undefined;
    };
    sent.then(succeed, () => {});
  }

  return async (text, values) => {
    if (text === "begin") {
      begin(text, values);
      return begun;
    }
    if (beginning === undefined) return send(text, values);
    if (text.startsWith("select")) {
      const [, result] = await Promise.all([beginning, send(text, values)]);
      return result;
    }
    await beginning;
    return send(text, values);
  };
}
