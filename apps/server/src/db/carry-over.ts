import { closeSync, copyFileSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import type pg from "pg";
import { checkBackup } from "./backup-sqlite.ts";
import { notEmpty } from "./database.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { onConnection } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Every table with what is to be kept, those that others refer to first. */
const TABLES = [
  "items",
  "orders",
  "order_lines",
  "order_events",
  "idempotency_keys",
  "contracts",
  "payment_checks",
  "settled_contracts",
  "mismatches",
  "call_budget",
  "leases",
  "facts",
];
/** What servers put back by themselves. */
const LEFT_OUT = ["web_assets"];
const ROWS_PER_STATEMENT = 1_000;
const SQLITE_HEADER = "SQLite format 3\0";

/** Whether a file is a SQLite database, by its first bytes. */
export function isSqliteFile(file: string): boolean {
  const start = Buffer.alloc(SQLITE_HEADER.length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start.toString("latin1") === SQLITE_HEADER;
}

/**
 * Carries a shop over from a copy of its SQLite database to PostgreSQL: all of it, in one transaction, or nothing.
 *
 * @param from the copy, of this version or an earlier one; it is left as it is
 * @param force whether what is in the PostgreSQL database may be replaced
 * @param onRows is called now and then with how many rows are copied, of how many
 * @throws {DatabaseUnusable} when the copy is no sound database of the shop, or PostgreSQL's is not empty
 */
export async function carryOver(
  from: string,
  url: string,
  { force, onRows }: { force: boolean; onRows: (copied: number, all: number) => void },
): Promise<void> {
  checkBackup(from);
  const folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  try {
    const file = join(folder, "shop.db");
    copyFileSync(from, file);
    await openSqlite(file).close();
    const source = new BetterSqlite3(file, { readonly: true });
    try {
      await onConnection(url, async (client) => {
        await migratePostgres(client);
        await fill(client, source, { force, onRows });
      });
    } finally {
      source.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fill(
  client: pg.Client,
  source: BetterSqlite3.Database,
  { force, onRows }: { force: boolean; onRows: (copied: number, all: number) => void },
): Promise<void> {
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${TABLES.join(", ")}`);
  if (force) await client.query(`TRUNCATE ${TABLES.join(", ")}`);
  await requireEmpty(client);
  requireAllTables(source);
  const count = source.prepare(
    `SELECT ${TABLES.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ")}`,
  );
  const all = Number(count.pluck().get());
  let copied = 0;
  const onCopied = (rows: number) => {
    copied += rows;
    onRows(copied, all);
  };
  for (const table of TABLES) await copyTable(client, source, { table, onCopied });
  await client.query(
    "SELECT setval(pg_get_serial_sequence('items', 'position'), max(position)) FROM items HAVING count(*) > 0",
  );
  await client.query("COMMIT");
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const anyRow = TABLES.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(" OR ");
  const { rows } = await client.query<{ used: boolean }>(`SELECT ${anyRow} AS used`);
  if (rows[0]?.used === true) throw notEmpty();
}

/** A table that a later version adds must not be forgotten here. */
function requireAllTables(source: BetterSqlite3.Database): void {
  const names = source
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  const forgotten = names.filter((name) => ![...TABLES, ...LEFT_OUT].includes(String(name)));
  if (forgotten.length > 0) throw new Error(`nobody has said how to carry over ${forgotten.join(", ")}`);
}

async function copyTable(
  client: pg.Client,
  source: BetterSqlite3.Database,
  { table, onCopied }: { table: string; onCopied: (rows: number) => void },
): Promise<void> {
  const all = source.prepare(`SELECT * FROM ${table}`);
  const columns = all
    .columns()
    .map(({ name }) => name)
    .join(", ");
  const insert = `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
    SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`;
  let rows: unknown[] = [];
  async function insertRows(): Promise<void> {
    if (rows.length === 0) return;
    await client.query(insert, [JSON.stringify(rows)]);
    onCopied(rows.length);
    rows = [];
  }
  for (const row of all.iterate()) {
    rows.push(row);
    if (rows.length >= ROWS_PER_STATEMENT) await insertRows();
  }
  await insertRows();
}
