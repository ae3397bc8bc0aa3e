import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { DatabaseObserver } from "./database.ts";
import { Overloaded } from "./faults.ts";

/** Connections of one server process. */
const CONNECTIONS = 10;
/** How long a request waits for a connection, in milliseconds. */
const CONNECT_WITHIN = 5_000;
/** The most queries and transactions that wait for a connection. What many ask for goes in groups, and needs few. */
const MAX_WAITING = 1_000;
/** How long a query may take before its connection is given up, in milliseconds: PostgreSQL itself ends it earlier. */
const QUERY_WITHIN = 20_000;
/**
 * What a session needs to be, whatever the server's settings are. It is said in the session, and not when connecting,
 * because a connection pooler in between may not take it there.
 */
const SESSION = `SET statement_timeout = '15s';
  SET lock_timeout = '3s';
  SET idle_in_transaction_session_timeout = '15s';
  SET default_transaction_isolation = 'read committed';
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

/** By which the shop's connections are told from others in `pg_stat_activity`. */
export const APPLICATION_NAME = "keepsats";

/** How every connection of the shop to PostgreSQL is made, the bus's too. */
export function connectionOptions(url: string): pg.ClientConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return {
    connectionString: url,
    types,
    application_name: APPLICATION_NAME,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN,
    query_timeout: QUERY_WITHIN,
  };
}

/** What the connections of one process may be asked for. */
export interface PoolLimits {
  /** How long a query may take before its connection is given up, in milliseconds. */
  readonly queryWithin?: number | undefined;
  /** The most that may wait for a connection; what comes beyond is refused with {@link Overloaded}. */
  readonly maxWaiting?: number | undefined;
}

/**
 * The connections of one process, in the form in which Kysely takes them. One on which a query got no answer in time is
 * ended: the client itself would take it for a sound one, and others would wait behind that query.
 */
export function createPool(
  url: string,
  observer: DatabaseObserver,
  { queryWithin = QUERY_WITHIN, maxWaiting = MAX_WAITING }: PoolLimits = {},
): PostgresPool {
  const pool = new pg.Pool({ ...connectionOptions(url), query_timeout: queryWithin, max: CONNECTIONS });
  // A broken connection is told of by the query that meets it; one that nobody hears would end the process.
  pool.on("error", nothing);
  pool.on("connect", (client) => {
    client.on("error", nothing);
    // Queued before whatever the connection is wanted for.
    client.query(SESSION).catch(observer.away);
  });
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // Those for whom a connection is free, or can be opened, are not given it before the next tick.
      const free = CONNECTIONS - pool.totalCount + pool.idleCount;
      if (pool.waitingCount - free >= maxWaiting)
        throw new Overloaded(`${maxWaiting} wait for a connection already`);
      const client = await pool.connect().catch((error: unknown) => {
        const why = tellBusy(error);
        observer.away(why);
        throw why;
      });
      const known = guarded.get(client) ?? endingWhenLate(client);
      guarded.set(client, known);
      return known;
    },
  };
}

/** Says what the pool means: its own words sound as if there were no way to the database. */
function tellBusy(error: unknown): unknown {
  if (!(error instanceof Error) || error.message !== "timeout exceeded when trying to connect") return error;
  return new Error(`${error.message}: all ${CONNECTIONS} connections are in use or being opened`, {
    cause: error,
  });
}

function endingWhenLate(client: pg.PoolClient): PostgresPoolClient {
  async function query(text: string, values: unknown[]) {
    try {
      return await client.query(text, values);
    } catch (error) {
      const isLate = error instanceof Error && error.message === "Query read timeout";
      if (isLate && "end" in client && typeof client.end === "function") client.end().catch(nothing);
      throw error;
    }
  }
  return Object.assign(Object.create(client), { query });
}

function nothing(): void {}
