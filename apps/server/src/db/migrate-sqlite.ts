import type BetterSqlite3 from "better-sqlite3";
import { DatabaseUnusable } from "./database.ts";
import { migrationsFor } from "./migrations.ts";

/**
 * Brings a SQLite database to the newest version: all missing migrations in one transaction that holds the write lock.
 *
 * @throws {DatabaseUnusable} when the database has been used by a newer version of the shop
 */
export function migrateSqlite(sqlite: BetterSqlite3.Database): void {
  const migrations = migrationsFor("sqlite");
  const migrate = sqlite.transaction(() => {
    const current = sqlite.pragma("user_version", { simple: true });
    if (typeof current !== "number" || current > migrations.length) {
      throw new DatabaseUnusable(
        `the database is of version ${current}, made by a newer Keepsats; this one knows versions up to ${migrations.length}`,
      );
    }
    for (const { sql } of migrations.slice(current)) sqlite.exec(sql);
    sqlite.pragma(`user_version = ${migrations.length}`);
  });
  migrate.immediate();
}
