import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { orderStatuses } from "@keepsats/domain";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type DatabaseKind,
  databaseKinds,
  readWhole,
  sqlite,
  type TestDatabase,
  withMigration,
} from "../harness/databases.ts";
import { restoreFullDatabase } from "../releases/full-database.ts";

/** The id of one order, as SQL. */
const ORDER =
  "(SELECT min(id) FROM orders WHERE id NOT IN (SELECT order_id FROM loans WHERE order_id IS NOT NULL))";
const UNKNOWN_ORDER = "00000000-0000-4000-8000-ffffffffffff";

const dieInMigration = fileURLToPath(new URL("die-in-migration.ts", import.meta.url));

/**
 * A migration that drops the CHECK on the version of an order. SQLite cannot drop one, so it
 * rebuilds the table, which other tables refer to. Each statement ends with an empty line.
 */
async function dropCheck({ name }: DatabaseKind, testDatabase: TestDatabase): Promise<string> {
  if (name === "PostgreSQL") return "ALTER TABLE orders DROP CONSTRAINT orders_version_check;\n\n";
  const rows = await testDatabase.run(
    "SELECT sql FROM sqlite_schema WHERE tbl_name = 'orders' AND sql IS NOT NULL ORDER BY type <> 'table'",
  );
  const [table = "", ...indexesAndTriggers] = rows.map((row) => String(Object(row).sql));
  return [
    table
      .replace("CREATE TABLE orders", "CREATE TABLE orders_rebuilt")
      .replace(" CHECK (version >= 1)", ""),
    "INSERT INTO orders_rebuilt SELECT * FROM orders",
    "DROP TABLE orders",
    "ALTER TABLE orders_rebuilt RENAME TO orders",
    ...indexesAndTriggers,
  ]
    .map((statement) => `${statement};\n\n`)
    .join("");
}

describe.each(databaseKinds)("the upgrade of a shop full of orders on $name", (kind) => {
  let testDatabase: TestDatabase;
  let migration: string;
  beforeEach(async () => {
    testDatabase = await restoreFullDatabase(kind);
    migration = await dropCheck(kind, testDatabase);
  });
  afterEach(() => testDatabase.remove());
  const withoutVersion = `UPDATE orders SET version = 0 WHERE id = ${ORDER}`;

  test("keeps every row, column, index and constraint when a CHECK is dropped", async () => {
    await expect(testDatabase.run(withoutVersion)).rejects.toThrow(/constraint/i);
    const before = await readWhole(kind, testDatabase);
    for (const [table, rows] of Object.entries(before.rows)) expect(rows, table).not.toEqual([]);
    expect(await testDatabase.run("SELECT DISTINCT status FROM orders")).toHaveLength(
      orderStatuses.length,
    );

    await testDatabase.migrate(withMigration(kind, migration));

    expect(await readWhole(kind, testDatabase)).toEqual(before);
    await testDatabase.run(withoutVersion);
    await testDatabase.checkIntegrity();
  });

  test("leaves its foreign keys enforced", async () => {
    await testDatabase.migrate(withMigration(kind, migration));
    for (const sql of [
      `DELETE FROM orders WHERE id = ${ORDER}`,
      `UPDATE order_lines SET order_id = '${UNKNOWN_ORDER}' WHERE order_id = ${ORDER}`,
      `UPDATE order_events SET order_id = '${UNKNOWN_ORDER}' WHERE order_id = ${ORDER}`,
      `UPDATE loans SET order_id = '${UNKNOWN_ORDER}'`,
      `UPDATE payment_checks SET order_id = '${UNKNOWN_ORDER}'`,
      `UPDATE orders SET id = '${UNKNOWN_ORDER}' WHERE id = ${ORDER}`,
    ]) {
      await expect(testDatabase.run(sql), sql).rejects.toThrow(/foreign key constraint/i);
    }
  });

  test.each([
    [
      "leaves lines without their order",
      `DELETE FROM orders WHERE id = ${ORDER}`,
      /order_(?:lines|events)|rows that refer to a missing row/,
    ],
    ["fails at its last statement", "SELECT * FROM nowhere", /nowhere/],
  ])("changes nothing when a migration %s", async (_, sql, why) => {
    const before = await readWhole(kind, testDatabase);
    await expect(testDatabase.migrate(withMigration(kind, migration + sql))).rejects.toThrow(why);
    expect(await readWhole(kind, testDatabase)).toEqual(before);
    await expect(testDatabase.run(withoutVersion)).rejects.toThrow(/constraint/i);
    await testDatabase.migrate(withMigration(kind, migration));
    expect(await readWhole(kind, testDatabase)).toEqual(before);
  });
});

describe("the upgrade of a full SQLite file", () => {
  let testDatabase: TestDatabase;
  let file: string;
  let migration: string;
  beforeEach(async () => {
    testDatabase = await restoreFullDatabase(sqlite);
    file = testDatabase.url.slice("file:".length);
    migration = await dropCheck(sqlite, testDatabase);
  });
  afterEach(() => testDatabase.remove());

  test("changes nothing if the process is killed during the rebuild of a table", async () => {
    const before = await readWhole(sqlite, testDatabase);
    const statements = migration.match(/;\n\n/g)?.length ?? 0;
    expect(statements).toBeGreaterThan(5);
    const next = `${file}.sql`;
    await writeFile(next, migration);
    for (let done = 0; done <= statements; done += 1) {
      const { signal, stderr } = spawnSync(process.execPath, [
        dieInMigration,
        file,
        next,
        String(done),
      ]);
      expect(signal, String(stderr)).toBe("SIGKILL");
      expect(await readWhole(sqlite, testDatabase), `killed after ${done} statements`).toEqual(
        before,
      );
      await testDatabase.checkIntegrity();
    }
    await testDatabase.migrate(withMigration(sqlite, migration));
    expect(await readWhole(sqlite, testDatabase)).toEqual(before);
  });

  test("succeeds even if an order was deleted manually with foreign keys off", async () => {
    const byHand = new BetterSqlite3(file);
    byHand.exec(`PRAGMA foreign_keys = OFF; DELETE FROM orders WHERE id = ${ORDER}`);
    byHand.close();
    await testDatabase.migrate(withMigration(sqlite, migration));
    expect(
      await testDatabase.run(
        "SELECT * FROM order_lines WHERE order_id NOT IN (SELECT id FROM orders)",
      ),
    ).not.toEqual([]);
  });

  test("leaves foreign keys enforced in each process that opens it", async () => {
    const database = await testDatabase.open();
    await expect(database.db.deleteFrom("orders").execute()).rejects.toThrow(
      /foreign key constraint/i,
    );
    await database.close();
  });
});
