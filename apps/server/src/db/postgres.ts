import {
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
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
/** How long one statement may take, in milliseconds; the longest is a merchant's import. */
const STATEMENT_WITHIN = 15_000;
/** How often a transaction is begun again that another got into the way of. */
const ATTEMPTS = 5;

/**
 * Connects to the shop's PostgreSQL database and brings its tables up to date.
 *
 * A commit returns when the server has it on its disk, for PostgreSQL's `synchronous_commit` is on.
 *
 * @param url such as `postgres://user:password@host:5432/shop`
 * @throws {DatabaseUnusable} when the database cannot be reached, or belongs to a newer version
 */
export async function openPostgres(url: string, observer = unobserved): Promise<Database> {
  const pool = new pg.Pool({ ...connectionOptions(url), max: CONNECTIONS });
  pool.on("error", observer.away);
  // The pool listens to idle connections only; one that breaks while it is in use would end the process.
  pool.on("connect", (client) => client.on("error", observer.away));
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = new Kysely<Tables>({
    dialect: new ObservedPostgresDialect(pool, observer),
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
    statement_timeout: STATEMENT_WITHIN,
    query_timeout: STATEMENT_WITHIN + CONNECT_WITHIN,
    idle_in_transaction_session_timeout: STATEMENT_WITHIN,
  };
}

async function migrate(pool: pg.Pool): Promise<void> {
  try {
    const client = await pool.connect();
    try {
      await migratePostgres(client);
    } finally {
      client.release();
    }
  } catch (error) {
    if (error instanceof DatabaseUnusable || !(error instanceof Error)) throw error;
    const mayBeMended =
      isDatabaseAway(error) || ("code" in error && /^(?:28|3D|42501)/.test(String(error.code)));
    if (!mayBeMended) throw error;
    throw new DatabaseUnusable(`cannot use PostgreSQL: ${reasonOf(error)}`);
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
