import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { DatabaseUnusable } from "./database.ts";
import { giveName } from "./durable-file.ts";
import { migrationsFor, missingMigrations } from "./migrations.ts";

/**
 * Writes a consistent copy of a SQLite database, as it is at one moment, while the shop goes on selling. The copy is on
 * the disk, whole and checked, when this returns; until then there is no file of that name.
 *
 * @throws {DatabaseUnusable} when there is no database, or a file of that name already
 */
export function backUpSqlite(file: string, to: string): void {
  if (!existsSync(file)) throw new DatabaseUnusable(`there is no database ${file}`);
  if (existsSync(to)) throw new DatabaseUnusable(`${to} is there already, and is left as it is`);
  const part = `${to}.part`;
  rmSync(part, { force: true });
  try {
    const database = new BetterSqlite3(file, { readonly: true });
    try {
      database.prepare("VACUUM INTO ?").run(part);
    } finally {
      database.close();
    }
    checkBackup(part);
    giveName(part, to);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/**
 * Puts a copy in the place of a SQLite database. What was there is kept beside it.
 *
 * @returns where the former database is now; `undefined` when there was none
 * @throws {DatabaseUnusable} when the copy is no sound database of the shop, or the shop is running
 */
export function restoreSqlite(file: string, from: string): string | undefined {
  if (!existsSync(from)) throw new DatabaseUnusable(`there is no file ${from}`);
  checkBackup(from);
  const former = existsSync(file)
    ? `${file}.before-${new Date().toISOString().replaceAll(":", "-")}`
    : undefined;
  if (former !== undefined) foldIn(file);
  const part = `${file}.part`;
  copyFileSync(from, part);
  if (former !== undefined) renameSync(file, former);
  giveName(part, file);
  return former;
}

/** @throws {DatabaseUnusable} unless the file is a sound database that this version of the shop can use */
function checkBackup(file: string): void {
  try {
    const copy = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    try {
      const verdict = copy.pragma("integrity_check", { simple: true });
      if (verdict !== "ok") throw new DatabaseUnusable(`${file} is damaged: ${verdict}`);
      missingMigrations(migrationsFor("sqlite"), copy.pragma("user_version", { simple: true }));
      copy.prepare("SELECT count(*) FROM orders").get();
    } finally {
      copy.close();
    }
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(
      `${file} is no database of the shop: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Writes into the database's one file what stands beside it; this can only be done while nobody else uses it. */
function foldIn(file: string): void {
  const database = new BetterSqlite3(file);
  try {
    database.pragma("journal_mode = DELETE");
  } catch (error) {
    throw new DatabaseUnusable(
      `${file} is in use: stop the shop first (${error instanceof Error ? error.message : error})`,
    );
  } finally {
    database.close();
  }
}
