import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseObserver, DatabaseUnusable } from "./database.ts";

/** One migration. A released migration is never edited; changes are new migrations. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export type ReportMigration = DatabaseObserver["migrating"];

/** Reports nothing: for a new database, which runs every migration. */
export const quiet: ReportMigration = () => {};

/** Reports the start of a migration. @returns a function that reports its end */
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

/**
 * The migrations that a database of this version lacks.
 *
 * @throws {DatabaseUnusable} when the database has been used by a newer version of the shop
 */
export function missingMigrations(migrations: readonly Migration[], version: unknown): Migration[] {
  if (typeof version !== "number" || version > migrations.length) {
    throw new DatabaseUnusable(
      `the database is of version ${version}, made by a newer Keepsats; this one knows versions up to ${migrations.length}`,
    );
  }
  return migrations.slice(version);
}
