import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DatabaseUnusable } from "./database.ts";
import { migrationsFor } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a new database has every table, is durable, and is of the newest version", async () => {
  const file = join(folder, "deep/er/shop.db");
  const database = openSqlite(file);
  await database.check();
  await database.close();
  const sqlite = new BetterSqlite3(file);
  expect(sqlite.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(sqlite.pragma("user_version", { simple: true })).toBe(migrationsFor("sqlite").length);
  sqlite.close();
});

test("a database from every earlier version is brought up to date and keeps what is in it", async () => {
  const migrations = migrationsFor("sqlite");
  for (const { version } of migrations) {
    const file = join(folder, `v${version}.db`);
    const sqlite = new BetterSqlite3(file);
    for (const { sql } of migrations.slice(0, version)) sqlite.exec(sql);
    sqlite.exec("INSERT INTO facts VALUES ('kept', 'yes')");
    sqlite.pragma(`user_version = ${version}`);
    sqlite.close();
    const database = openSqlite(file);
    expect(await database.db.selectFrom("facts").selectAll().execute()).toEqual([
      { name: "kept", value: "yes" },
    ]);
    await database.close();
  }
});

test("a database from a newer version is refused", () => {
  const file = join(folder, "newer.db");
  const sqlite = new BetterSqlite3(file);
  sqlite.pragma("user_version = 1000");
  sqlite.close();
  expect(() => openSqlite(file)).toThrow(DatabaseUnusable);
});

test("a transaction that fails leaves nothing behind, and its follow-ups are never done", async () => {
  const database = openSqlite(join(folder, "shop.db"));
  let followed = false;
  const failing = database.inTransaction(async (unit) => {
    unit.afterCommit(() => {
      followed = true;
    });
    await unit.db.insertInto("facts").values({ name: "a", value: "b" }).execute();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(followed).toBe(false);
  expect(await database.db.selectFrom("facts").selectAll().execute()).toEqual([]);
  await database.close();
});

test.each([
  ["an order of no known status", "UPDATE orders SET status = 'Lost'"],
  [
    "a line without its order",
    "INSERT INTO order_lines VALUES ('00000000-0000-4000-8000-000000000009', 0, 'x', 'x', 1, 1)",
  ],
  [
    "a line of nothing",
    "INSERT INTO order_lines VALUES ('00000000-0000-4000-8000-000000000001', 0, 'x', 'x', 1, 0)",
  ],
  [
    "a negative price",
    "INSERT INTO items (id, name, description, price, image_url) VALUES ('x', 'x', 'x', -1, 'x')",
  ],
  [
    "a contract for a second order",
    "INSERT INTO contracts VALUES ('c', '00000000-0000-4000-8000-000000000002', 'x', 'paid', 1, 1)",
  ],
])("the database itself refuses %s", async (_, sql) => {
  const file = join(folder, "shop.db");
  await openSqlite(file).close();
  const sqlite = new BetterSqlite3(file);
  sqlite.pragma("foreign_keys = ON");
  for (const end of ["1", "2"]) {
    sqlite.exec(
      `INSERT INTO orders VALUES ('00000000-0000-4000-8000-00000000000${end}', 'Pending', 1, 0, '', '', '{}', '{}', 0, 0)`,
    );
  }
  sqlite.exec(
    "INSERT INTO contracts VALUES ('c', '00000000-0000-4000-8000-000000000001', 'x', 'paid', 1, 1)",
  );
  expect(() => sqlite.exec(sql)).toThrow(/constraint/i);
  sqlite.close();
});
