import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import { readApplied } from "../../apps/server/src/platform/database/migrate-sqlite.ts";
import {
  migrationsFor,
  missingMigrations,
} from "../../apps/server/src/platform/database/migrations.ts";
import { makePrivateFolder } from "../../apps/server/src/platform/database/private-files.ts";
import { codeOf, reasonOf } from "../../apps/server/src/platform/errors.ts";
import { createBackup, renameDurably } from "./backup-file.ts";

/**
 * Writes a consistent snapshot of a SQLite database while the shop may be running.
 *
 * @throws {DatabaseUnusable} when `file` does not exist, `to` already exists, or the snapshot fails
 *   its verification
 */
export async function backUpSqlite(file: string, to: string): Promise<void> {
  if (!existsSync(file)) throw new DatabaseUnusable(`there is no database ${file}`);
  await createBackup(to, (part) => {
    withSqlite(file, { readonly: true }, (database) => database.prepare("VACUUM INTO ?").run(part));
    checkBackup(part);
  });
}

/**
 * Replaces a SQLite database with a backup. The replaced database, damaged or not, is kept beside it
 * as `<file>.before-<time>`. The replacement is a rename, so a database `file` exists at every
 * moment. The new file gets the owner of the replaced one, or of the folder, because the user who
 * restores may be root.
 *
 * @returns the path of the replaced database; `undefined` when there was none
 * @throws {DatabaseUnusable} when the backup is damaged or not a database of the shop, or when
 *   the shop is running
 */
export async function restoreSqlite(file: string, from: string): Promise<string | undefined> {
  checkBackup(from);
  makePrivateFolder(dirname(file));
  const part = `${file}.part`;
  try {
    copyFileSync(from, part);
    copyOwner(part, existsSync(file) ? file : dirname(file));
    const replaced = keepReplaced(file);
    await renameDurably(part, file);
    return replaced;
  } finally {
    rmSync(part, { force: true });
  }
}

/**
 * Sets mode 600 and, when run as root, gives the file the owner of `example`. Other users cannot
 * change owners.
 */
function copyOwner(file: string, example: string): void {
  chmodSync(file, 0o600);
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(example);
  chownSync(file, uid, gid);
}

/**
 * Hard-links the database to `<file>.before-<time>` and moves its log files there.
 *
 * @returns the new path; `undefined` when there is no database
 */
function keepReplaced(file: string): string | undefined {
  const kept = `${file}.before-${new Date().toISOString().replaceAll(":", "-")}`;
  const exists = existsSync(file);
  if (exists) {
    mergeLog(file);
    linkSync(file, kept);
  }
  // SQLite would apply a leftover log file to the new database.
  for (const end of ["-wal", "-shm", "-journal"]) {
    if (existsSync(file + end)) renameSync(file + end, kept + end);
  }
  return exists ? kept : undefined;
}

/**
 * @throws {DatabaseUnusable} when the file is damaged, or not a database that this version can open
 */
export function checkBackup(file: string): void {
  try {
    withSqlite(file, { readonly: true }, (backup) => {
      const verdict = backup.pragma("integrity_check", { simple: true });
      if (verdict !== "ok") throw new DatabaseUnusable(`${file} is damaged: ${verdict}`);
      missingMigrations(migrationsFor("sqlite"), readApplied(backup));
      backup.prepare("SELECT count(*) FROM orders").get();
    });
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(`${file} is not a database of the shop: ${reasonOf(error)}`);
  }
}

/**
 * Merges the write-ahead log into the database file. Needs exclusive access. A damaged database is
 * left unchanged.
 *
 * @throws {DatabaseUnusable} when another process has the database open
 */
function mergeLog(file: string): void {
  try {
    withSqlite(file, {}, (database) => database.pragma("journal_mode = DELETE"));
  } catch (error) {
    const code = codeOf(error);
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
      throw new DatabaseUnusable(`${file} is in use: stop the shop first`);
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
  }
}

export function withSqlite<Result>(
  file: string,
  options: BetterSqlite3.Options,
  work: (database: BetterSqlite3.Database) => Result,
): Result {
  const database = new BetterSqlite3(file, options);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
