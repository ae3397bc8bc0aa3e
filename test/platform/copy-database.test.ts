import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listOrders } from "../../apps/server/src/modules/orders/lists/list-orders.ts";
import { searchedText } from "../../apps/server/src/modules/orders/lists/search-words.ts";
import { type DatabaseKind, postgres, sqlite, type TestDatabase } from "../harness/databases.ts";
import { runDatabaseTask } from "../harness/server-process.ts";
import { useResource } from "../harness/use-resource.ts";
import { restoreFullDatabase } from "../releases/full-database.ts";

const folder = useResource(() => mkdtempDisposable(join(tmpdir(), "keepsats-")));

const tableQueries: Readonly<Record<DatabaseKind["name"], string>> = {
  SQLite: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
    AND name <> 'schema_migrations' AND name NOT LIKE 'order_search%'`,
  // The counters of the rate limits, and the version of the tables, are not the shop's data.
  PostgreSQL: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
    AND table_name NOT IN ('schema_migrations', 'rate_windows', 'order_search_index')`,
};

/**
 * Every row of every table, in the same form whatever the database: each column as text. The
 * full-text index differs: triggers fill it.
 */
async function readAll(
  { name }: DatabaseKind,
  testDatabase: TestDatabase,
): Promise<Record<string, string[][]>> {
  const tables = (await testDatabase.run(tableQueries[name])).map((row) =>
    String(Reflect.get(Object(row), "name")),
  );
  const read = async (table: string) =>
    (await testDatabase.run(`SELECT * FROM ${table}`))
      .map((row) =>
        Object.entries(Object(row))
          .map(([column, value]) => `${column}=${textOf(value)}`)
          .sort(),
      )
      .sort((one, other) => (one.join() < other.join() ? -1 : 1));
  return Object.fromEntries(
    await Promise.all(tables.sort().map(async (table) => [table, await read(table)] as const)),
  );
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
}

/**
 * Fails if a table is empty, or a column has a value in no row: then a test would not notice that
 * it is lost.
 */
function expectEverythingFilled(tables: Record<string, string[][]>): void {
  for (const [table, rows] of Object.entries(tables)) {
    expect(rows.length, `rows of ${table}`).toBeGreaterThan(0);
    const columns = rows[0]?.map((column) => column.split("=")[0] ?? "") ?? [];
    const filled = columns.filter((name) => rows.some((row) => !row.includes(`${name}=null`)));
    expect(filled, `columns of ${table} with a value`).toEqual(columns);
  }
}

/**
 * Tables that servers fill again by themselves. `web_assets` is an unlogged table of PostgreSQL,
 * whose rows are in no backup.
 */
const assets = ["web_assets"];

test.each([
  { what: "a backup of a SQLite shop, restored", from: sqlite, to: sqlite, lost: [] },
  { what: "a backup of a PostgreSQL shop, restored", from: postgres, to: postgres, lost: assets },
  { what: "the move from SQLite to PostgreSQL", from: sqlite, to: postgres, lost: assets },
])("$what, has every row of every table", async ({ from, to, lost }) => {
  const [source, target] = [await restoreFullDatabase(from), await to.newTestDatabase()];
  // More than the move copies with one statement.
  for (const name of ["long", "longer"])
    await source.run(`INSERT INTO key_values VALUES ('${name}', '${"x".repeat(100_000)}')`);
  const before = await readAll(from, source);
  expectEverythingFilled(before);

  const file = join(folder.path, crypto.randomUUID());
  for (const [command, { url }, option] of [
    ["backup", source, "--to"],
    ["restore", target, "--from"],
  ] as const) {
    const { code, said } = await runDatabaseTask(folder.path, command, url, option, file);
    expect(code, said).toBe(0);
  }

  const expected = Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [table, lost.includes(table) ? [] : rows]),
  );
  const after = await readAll(to, target);
  expect(after).toEqual(expected);
  // The shop starts on it, and numbers new rows after those that were copied.
  const database = await target.open();
  const found = await listOrders(database.db, { text: searchedText("zo") }, { limit: 1 });
  expect(found).toHaveLength(1);
  await database.db
    .insertInto("outbox")
    .values({
      id: "next",
      channel: "webhook",
      target: "webhook",
      type: "order.paid",
      subject: "",
      data: "{}",
      state: "waiting",
      next_at: 1,
      created_at: 1,
    })
    .execute();
  await database.close();
  await Promise.all([source.remove(), target.remove()]);
});
