import type BetterSqlite3 from "better-sqlite3";
import {
  type AppliedMigration,
  CREATE_HISTORY,
  checksumOf,
  hasHistory,
  migrationsFor,
  missingMigrations,
  quiet,
  READ_HISTORY,
  type ReportMigration,
  reportStart,
} from "./migrations.ts";

/**
 * Runs all missing migrations in one transaction that holds the write lock. If a migration fails or
 * the process ends, the file stays as it was.
 *
 * Foreign keys are not enforced while migrations run, so a migration may rebuild a referenced
 * table: create `orders_rebuilt`, copy the rows, drop `orders`, rename `orders_rebuilt` to
 * `orders`, create its indexes. All foreign keys are checked before the commit instead.
 *
 * @throws {DatabaseUnusable} if this version cannot migrate the database
 * @throws if a migration leaves rows that refer to a missing row
 */
export function migrateSqlite(
  sqlite: BetterSqlite3.Database,
  migrations = migrationsFor("sqlite"),
  report: ReportMigration = quiet,
): void {
  const migrate = sqlite.transaction(() => {
    const missing = missingMigrations(migrations, readApplied(sqlite));
    if (missing.length === 0) return;
    const isNew = missing.length === migrations.length;
    // An operator may have left some behind. They must not block an update.
    const before = countDangling(sqlite);
    sqlite.exec(CREATE_HISTORY);
    const record = sqlite.prepare("INSERT INTO schema_migrations VALUES (?, ?)");
    for (const migration of missing) {
      const ended = reportStart(migration, isNew ? quiet : report);
      sqlite.exec(migration.sql);
      record.run(migration.version, checksumOf(migration));
      ended();
    }
    if (countDangling(sqlite) > before)
      throw new Error("the migration leaves rows that refer to a missing row");
  });
  // SQLite ignores this setting inside a transaction.
  sqlite.pragma("foreign_keys = OFF");
  try {
    migrate.immediate();
  } finally {
    sqlite.pragma("foreign_keys = ON");
  }
}

/**
 * Oldest first; none for an empty database.
 *
 * @throws {DatabaseUnusable} if it was made before 1.0.0, or by another program
 */
export function readApplied(sqlite: BetterSqlite3.Database): AppliedMigration[] {
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
  if (!hasHistory(tables.all())) return [];
  return sqlite.prepare<[], AppliedMigration>(READ_HISTORY).all();
}

/** The number of rows that refer to a missing row. */
function countDangling(sqlite: BetterSqlite3.Database): number {
  const count = "SELECT count(*) FROM pragma_foreign_key_check";
  return Number(sqlite.prepare(count).pluck().get());
}
