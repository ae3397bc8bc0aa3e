import type { DatabaseKind, DatabasePlace } from "./databases.ts";

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
  place: DatabasePlace,
): Promise<WholeDatabase> {
  const sorted = async (sql: string) =>
    (await place.run(sql)).map((row) => JSON.stringify(row)).sort();
  const tables = (await place.run(tableQueries[name])).map((row) =>
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
