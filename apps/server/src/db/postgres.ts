import {
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from "kysely";
import pg from "pg";
import {
  checkOf,
  type Database,
  type DatabaseObserver,
  DatabaseUnusable,
  logTo,
  transactionsOf,
  unobserved,
} from "./database.ts";
import { isDatabaseAway, isRolledBackForAnother } from "./faults.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import type { Tables } from "./tables.ts";

/** Connections of one server process. */
const CONNECTIONS = 10;
/** How long a request waits for a connection, in milliseconds. */
const CONNECT_WITHIN = 5_000;
/** How long a query may take before its connection is given up, in milliseconds: PostgreSQL itself ends it earlier. */
const QUERY_WITHIN = 20_000;
/**
 * What a session needs to be, whatever the server's settings are. It is said in the session, and not when connecting,
 * because a connection pooler in between may not take it there.
 */
const SESSION = `SET statement_timeout = '15s';
  SET idle_in_transaction_session_timeout = '15s';
  SET default_transaction_isolation = 'read committed';
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
/** How often a transaction is begun again that another got into the way of. */
const ATTEMPTS = 5;

/**
 * Connects to the shop's PostgreSQL database and brings its tables up to date.
 *
 * A commit returns when the server has it on its disk: each session sees to it that `synchronous_commit` is not off.
 *
 * @param url such as `postgres://user:password@host:5432/shop`
 * @param options.queryWithin how long a query may take before its connection is given up, in milliseconds
 * @throws {DatabaseUnusable} when the database cannot be reached, or belongs to a newer version
 */
export async function openPostgres(
  url: string,
  observer = unobserved,
  { queryWithin = QUERY_WITHIN }: { queryWithin?: number } = {},
): Promise<Database> {
  await migrate(url);
  const pool = new pg.Pool({ ...connectionOptions(url), query_timeout: queryWithin, max: CONNECTIONS });
  // A broken connection is told of by the query that meets it; one that nobody hears would end the process.
  pool.on("error", nothing);
  pool.on("connect", (client) => {
    client.on("error", nothing);
    // Queued before whatever the connection is wanted for.
    client.query(SESSION).catch(observer.away);
  });
  const db = new Kysely<Tables>({
    dialect: new ObservedPostgresDialect(endingTimedOut(pool), observer),
    log: logTo(observer),
  });
  const once = transactionsOf(db, async (transaction, name) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  });
  const inTransaction: Database["inTransaction"] = (work) => again(() => once(work));
  return {
    db,
    inTransaction,
    check: checkOf(inTransaction),
    writers: 2,
    close: () => db.destroy(),
  };
}

/** How every connection of the shop to PostgreSQL is made, the bus's too. */
export function connectionOptions(url: string): pg.ClientConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return {
    connectionString: url,
    types,
    application_name: "keepsats",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN,
    query_timeout: QUERY_WITHIN,
  };
}

/** Takes as long as it takes: tables may be large, and another process may be at it. */
async function migrate(url: string): Promise<void> {
  const client = new pg.Client({ ...connectionOptions(url), query_timeout: 0 });
  client.on("error", nothing);
  try {
    await client.connect();
    await migratePostgres(client);
  } catch (error) {
    if (error instanceof DatabaseUnusable || !(error instanceof Error)) throw error;
    const mayBeMended =
      isDatabaseAway(error) || ("code" in error && /^(?:28|3D|42501)/.test(String(error.code)));
    if (!mayBeMended) throw error;
    throw new DatabaseUnusable(`cannot use PostgreSQL: ${reasonOf(error)}`);
  } finally {
    await client.end();
  }
}

function reasonOf(error: Error): string {
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}

async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !isRolledBackForAnother(error)) throw error;
    }
  }
}

function nothing(): void {}

/**
 * Ends a connection on which a query got no answer in time. The client would take it for a sound one, and others would
 * wait behind that query.
 */
function endingTimedOut(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    async function query(text: string, values: unknown[]) {
      try {
        return await client.query(text, values);
      } catch (error) {
        const isTimeout = error instanceof Error && error.message === "Query read timeout";
        if (isTimeout && "end" in client && typeof client.end === "function") client.end().catch(nothing);
        throw error;
      }
    }
    return Object.assign(Object.create(client), { query });
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? wrap(client);
      clients.set(client, known);
      return known;
    },
  };
}

/** Tells the observer when no connection can be had. */
class ObservedPostgresDriver extends PostgresDriver {
  readonly #observer: DatabaseObserver;

  constructor(pool: PostgresPool, observer: DatabaseObserver) {
    super({ pool });
    this.#observer = observer;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      this.#observer.away(error);
      throw error;
    }
  }
}

class ObservedPostgresDialect extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #observer: DatabaseObserver;

  constructor(pool: PostgresPool, observer: DatabaseObserver) {
    super({ pool });
    this.#pool = pool;
    this.#observer = observer;
  }

  override createDriver(): PostgresDriver {
    return new ObservedPostgresDriver(this.#pool, this.#observer);
  }
}
