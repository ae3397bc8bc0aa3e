import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseObserver, DatabaseUnusable } from "./database.ts";

/** One migration. A released migration is never edited; changes are new migrations. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

/** The same on both kinds of database. */
const HISTORY = "schema_migrations";
export const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS ${HISTORY} (
  version integer NOT NULL PRIMARY KEY,
  checksum text NOT NULL
)`;
export const READ_HISTORY = `SELECT version, checksum FROM ${HISTORY} ORDER BY version`;

export type ReportMigration = DatabaseObserver["migrating"];

/** For a new database, which runs every migration. */
export const quiet: ReportMigration = () => {};

/** Reports the start of a migration. Returns a function that reports its end. */
export function reportStart({ version, name }: Migration, report: ReportMigration): () => void {
  const migration = `${String(version).padStart(3, "0")}-${name}`;
  const start = performance.now();
  report("a migration started", { migration });
  return () =>
    report("a migration finished", { migration, ms: Math.round(performance.now() - start) });
}

const folder = join(import.meta.dirname, "migrations");

/** All migrations for a kind of database, oldest first. The first has version 1. */
export function migrationsFor(kind: "sqlite" | "postgres"): Migration[] {
  const pattern = new RegExp(`^(\\d{3})-([a-z-]+)\\.${kind}\\.sql$`);
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const match = pattern.exec(file);
      return match === null ? [] : [{ file, version: Number(match[1]), name: match[2] ?? "" }];
    })
    .map(({ file, version, name }, index) => {
      if (version !== index + 1) throw new Error(`migration ${file} is out of order`);
      return { version, name, sql: readFileSync(join(folder, file), "utf8") };
    });
}

/** Ignores comments and line breaks. */
export function checksumOf({ sql }: Migration): string {
  const statements = sql.replaceAll(/--.*/g, "").replaceAll(/\s+/g, " ").trim();
  return createHash("sha256").update(statements).digest("hex");
}

/**
 * Whether a database with these tables has a history; an empty one has none.
 *
 * @throws {DatabaseUnusable} if it has orders but no history
 */
export function hasHistory(tables: readonly unknown[]): boolean {
  if (tables.includes(HISTORY)) return true;
  if (!tables.includes("orders")) return false;
  throw new DatabaseUnusable(
    "the database was made by a Keepsats before 1.0.0, or by another program, and cannot be upgraded; use an empty one",
  );
}

/**
 * @param applied the migrations of the database, oldest first
 * @throws {DatabaseUnusable} if a newer version, or one with other migrations of the same numbers,
 *   has migrated the database
 */
export function missingMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const version = applied.at(-1)?.version ?? 0;
  if (version > migrations.length)
    throw new DatabaseUnusable(
      `the database is of version ${version}, made by a newer Keepsats; this one knows versions up to ${migrations.length}`,
    );
  const checksums = migrations.slice(0, version).map(checksumOf);
  if (applied.some(({ checksum }, index) => checksum !== checksums[index]))
    throw new DatabaseUnusable(
      "the database was made by an unreleased Keepsats with another schema; use an empty one, or start the Keepsats that made it",
    );
  return migrations.slice(version);
}
