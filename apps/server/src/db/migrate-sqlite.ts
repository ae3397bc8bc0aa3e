import type BetterSqlite3 from "better-sqlite3";
import { migrationsFor, missingMigrations } from "./migrations.ts";

/**
 * Brings a SQLite database to the newest version: all missing migrations in one transaction that holds the write lock.
 *
 * @throws {DatabaseUnusable} when the database has been used by a newer version of the shop
 */
export function migrateSqlite(sqlite: BetterSqlite3.Database, migrations = migrationsFor("sqlite")): void {
  const migrate = sqlite.transaction(() => {
    const version = sqlite.pragma("user_version", { simple: true });
    for (const { sql } of missingMigrations(migrations, version)) sqlite.exec(sql);
    sqlite.pragma(`user_version = ${migrations.length}`);
  });
  migrate.immediate();
}
