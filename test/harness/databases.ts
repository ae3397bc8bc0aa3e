import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { inject } from "vitest";
import type { NewOrder, Order } from "../../apps/server/src/modules/orders/order.ts";
import { insertOrders } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { migratePostgres } from "../../apps/server/src/platform/database/migrate-postgres.ts";
import { migrateSqlite } from "../../apps/server/src/platform/database/migrate-sqlite.ts";
import {
  type Migration,
  migrationsFor,
} from "../../apps/server/src/platform/database/migrations.ts";
import { openPostgres, withConnection } from "../../apps/server/src/platform/database/postgres.ts";
import { openSqlite } from "../../apps/server/src/platform/database/sqlite.ts";
import { ProgramMissing } from "../../scripts/test-programs.ts";
import { aStoredOrder } from "./builders.ts";
import { newDatabase, query } from "./postgres.ts";
import { useResource } from "./use-resource.ts";

/** A database of one test or test file; it is empty at first. */
export interface TestDatabase extends AsyncDisposable {
  /** Opens it as the shop does. */
  open(): Promise<Database>;
  /** Runs SQL directly, not through the shop. Returns the rows of the last statement. */
  run(sql: string): Promise<unknown[]>;
  /** Runs these migrations. */
  migrate(migrations: readonly Migration[]): Promise<void>;
  /** Its value of `DATABASE_URL`. */
  readonly url: string;
  /** Runs the database's own integrity check. */
  checkIntegrity(): Promise<void>;
  remove(): Promise<void>;
}

/** A kind of database that the shop supports. */
export interface DatabaseKind {
  readonly name: "SQLite" | "PostgreSQL";
  readonly migrations: Migration[];
  newTestDatabase(): Promise<TestDatabase>;
  /** One that already has all tables if the kind of database creates them slowly. */
  newShopDatabase(): Promise<TestDatabase>;
}

/** The migrations of a kind of database, and an additional one. */
export function withMigration({ migrations }: DatabaseKind, sql: string): Migration[] {
  return [...migrations, { version: migrations.length + 1, name: "next", sql }];
}

/** For tests of the shop's own rules, which are the same on each database. */
export const sqlite: DatabaseKind = {
  name: "SQLite",
  migrations: migrationsFor("sqlite"),
  newTestDatabase: newSqliteDatabase,
  newShopDatabase: newSqliteDatabase,
};

async function newSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  const file = join(folder, "shop.db");
  function within<T>(work: (raw: BetterSqlite3.Database) => T): T {
    const raw = new BetterSqlite3(file);
    raw.pragma("foreign_keys = ON");
    try {
      return work(raw);
    } finally {
      raw.close();
    }
  }
  const remove = () => rm(folder, { recursive: true });
  return {
    url: `file:${file}`,
    open: async () => openSqlite(file),
    checkIntegrity: async () => {
      const verdict = within((raw) => raw.pragma("integrity_check", { simple: true }));
      if (verdict !== "ok") throw new Error(`${file} is damaged: ${verdict}`);
    },
    run: async (sql) =>
      within((raw) => {
        const statement = raw.prepare(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      }),
    migrate: async (migrations) => within((raw) => migrateSqlite(raw, [...migrations])),
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

/** The URL of the PostgreSQL server that all test files share. Throws `ProgramMissing`. */
export function sharedPostgres(): string {
  const url = inject("postgresUrl");
  if (url === "") throw new ProgramMissing("postgres");
  return url;
}

export const postgres: DatabaseKind = {
  name: "PostgreSQL",
  migrations: migrationsFor("postgres"),
  newTestDatabase: () => newPostgresDatabase(),
  newShopDatabase: () => newPostgresDatabase(inject("postgresTemplate")),
};

async function newPostgresDatabase(template?: string): Promise<TestDatabase> {
  const url = await newDatabase(sharedPostgres(), template);
  const run = (sql: string) => query(url, sql);
  return {
    url,
    open: () => openPostgres(url),
    async checkIntegrity() {
      await run("CREATE EXTENSION IF NOT EXISTS amcheck");
      await run(
        "SELECT bt_index_check(c.oid, true) FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'btree' AND c.relnamespace = 'public'::regnamespace",
      );
    },
    run,
    migrate: (migrations) =>
      withConnection(url, (client) => migratePostgres(client, [...migrations])),
    remove: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Both kinds; tests about databases run on each. */
export const databaseKinds: readonly DatabaseKind[] = [sqlite, postgres];

const schemaQueries: Readonly<Record<DatabaseKind["name"], string>> = {
  SQLite: `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE NOT (type = 'table' AND name = 'orders')
    UNION ALL SELECT 'column', name, 'orders', type || "notnull" || pk || coalesce(dflt_value, '') FROM pragma_table_info('orders')`,
  PostgreSQL: `SELECT 'index' AS type, indexname AS name, tablename AS tbl_name, indexdef AS sql FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'column', column_name, table_name, data_type || is_nullable || coalesce(collation_name, '') || coalesce(column_default, '')
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'constraint', conname, conrelid::regclass::text, pg_get_constraintdef(oid)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conname <> 'orders_version_check'`,
};

const tableQueries: Readonly<Record<DatabaseKind["name"], string>> = {
  SQLite: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
    AND name <> 'schema_migrations'`,
  PostgreSQL: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
    AND table_name NOT IN ('schema_migrations', 'rate_windows')`,
};

/** All contents of a database, in an order that does not depend on its storage. */
export interface WholeDatabase {
  /** The rows of each table, as JSON. */
  readonly rows: Readonly<Record<string, string[]>>;
  /** Tables, columns, indexes and constraints, except for the CHECK on the version of an order. */
  readonly schema: string[];
}

/** Reads every row of every table, and the schema. */
export async function readWhole(
  { name }: DatabaseKind,
  testDatabase: TestDatabase,
): Promise<WholeDatabase> {
  const sorted = async (sql: string) =>
    (await testDatabase.run(sql)).map((row) => JSON.stringify(row)).sort();
  const tables = (await testDatabase.run(tableQueries[name])).map((row) =>
    String(Reflect.get(Object(row), "name")),
  );
  const rows = tables.map(
    async (table) => [table, await sorted(`SELECT * FROM ${table}`)] as const,
  );
  return {
    rows: Object.fromEntries(await Promise.all(rows)),
    schema: await sorted(schemaQueries[name]),
  };
}

/** The database of one describe block. Read its fields only inside tests and hooks. */
export type UsedDatabase = ReturnType<typeof useDatabase>;

/**
 * Opens a new database before the tests of the describe block that calls this, and removes it after
 * them.
 */
export function useDatabase({ name, newShopDatabase }: DatabaseKind) {
  return useResource(async () => {
    const testDatabase = await newShopDatabase();
    const database = await testDatabase.open();
    const secondConnection = name === "SQLite" ? database : await testDatabase.open();
    return {
      testDatabase,
      database,
      /**
       * A second process's connection; on SQLite, which serves one process, the same as `database`.
       */
      secondConnection,
      within: database.inTransaction,
      /** Stores an order of {@link aStoredOrder}. */
      async stored(changes: Partial<NewOrder> = {}): Promise<Order & NewOrder> {
        const order = aStoredOrder(changes);
        const numbers = await database.inTransaction((unit) =>
          insertOrders(unit, [{ order, idempotency: undefined }]),
        );
        return { ...order, number: numbers.get(order.id) ?? "" };
      },
      async [Symbol.asyncDispose]() {
        await database.close();
        if (secondConnection !== database) await secondConnection.close();
        await testDatabase.remove();
      },
    };
  });
}
