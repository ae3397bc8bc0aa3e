import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
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
