import { copyFileSync } from "node:fs";
import { mkdtempDisposable, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import type pg from "pg";
import { migratePostgres } from "../../apps/server/src/platform/database/migrate-postgres.ts";
import { withConnection } from "../../apps/server/src/platform/database/postgres.ts";
import { openSqlite } from "../../apps/server/src/platform/database/sqlite.ts";
import { databaseNotEmpty } from "./database-task.ts";
import { checkBackup } from "./sqlite.ts";

/** Tables with a generated `position` in PostgreSQL. */
const NUMBERED = ["orders", "journal", "outbox"];
/** Tables that migrations and servers fill themselves. */
const NOT_COPIED = ["schema_migrations", "web_assets"];
/** The full-text index of SQLite, whose tables begin so; in PostgreSQL a trigger fills it. */
const SEARCH_INDEX = "order_search";
/** A statement ends when the JSON of its rows reaches this length. */
const JSON_PER_STATEMENT = 128 * 1024;
const SQLITE_HEADER = "SQLite format 3\0";

/** Checks the first bytes. */
export async function isSqliteFile(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer } = await handle.read({ buffer: Buffer.alloc(SQLITE_HEADER.length) });
  return buffer.toString("latin1") === SQLITE_HEADER;
}

/**
 * Copies a shop from a backup of its SQLite database to PostgreSQL, in one transaction.
 *
 * @param from the backup, made by this version or an earlier one; it is not changed
 * @param force replaces the rows of the PostgreSQL database; without it the database must be empty
 * @throws {DatabaseUnusable} if the backup is damaged or not a database of the shop, or PostgreSQL
 *   is not empty
 */
export async function copyDatabase(from: string, url: string, force: boolean): Promise<void> {
  checkBackup(from);
  await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-"));
  const file = join(temporary.path, "shop.db");
  copyFileSync(from, file);
  // Migrates the copy.
  await openSqlite(file).close();
  const source = new BetterSqlite3(file, { readonly: true });
  try {
    await withConnection(url, async (client) => {
      await migratePostgres(client);
      await fill(client, source, force);
    });
  } finally {
    source.close();
  }
}

async function fill(
  client: pg.Client,
  source: BetterSqlite3.Database,
  force: boolean,
): Promise<void> {
  const tables = tablesToCopy(source);
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${tables.join(", ")}`);
  if (force) await client.query(`TRUNCATE ${[...tables, "order_search_index"].join(", ")}`);
  await requireEmpty(client, tables);
  for (const table of tables) await copyTable(client, source, table);
  for (const table of NUMBERED) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'position'), max(position)) FROM ${table} HAVING count(*) > 0`,
    );
  }
  await client.query("COMMIT");
}

async function requireEmpty(client: pg.Client, tables: readonly string[]): Promise<void> {
  const anyRow = tables.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(" OR ");
  const { rows } = await client.query<{ used: boolean }>(`SELECT ${anyRow} AS used`);
  if (rows[0]?.used === true) throw databaseNotEmpty();
}

/** All tables with data of the shop; each comes after those that its foreign keys refer to. */
function tablesToCopy(source: BetterSqlite3.Database): readonly string[] {
  const names = source
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  const parents = source.prepare('SELECT "table" FROM pragma_foreign_key_list(?)').pluck();
  const ordered = new Set<string>();
  function add(table: string): void {
    for (const parent of parents.all(table).map(String)) if (parent !== table) add(parent);
    ordered.add(table);
  }
  for (const name of names.map(String))
    if (!NOT_COPIED.includes(name) && !name.startsWith(SEARCH_INDEX)) add(name);
  return [...ordered];
}

async function copyTable(
  client: pg.Client,
  source: BetterSqlite3.Database,
  table: string,
): Promise<void> {
  const all = source.prepare(`SELECT * FROM ${table}`);
  const columns = all.columns().map(({ name }) => name);
  const insert = `INSERT INTO ${table} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.join(", ")} FROM json_populate_recordset(NULL::${table}, $1)`;
  let rows: string[] = [];
  let length = 0;
  for (const row of all.iterate()) {
    const values = Object.entries(Object(row)).map(([name, value]) => [name, jsonOf(value)]);
    const json = JSON.stringify(Object.fromEntries(values));
    rows.push(json);
    length += json.length;
    if (length < JSON_PER_STATEMENT) continue;
    await client.query(insert, [`[${rows}]`]);
    rows = [];
    length = 0;
  }
  if (rows.length > 0) await client.query(insert, [`[${rows}]`]);
}

/** PostgreSQL reads bytes in JSON as `\x` and hexadecimal digits. */
function jsonOf(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
}
