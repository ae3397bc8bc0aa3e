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
import { DatabaseUnusable } from "./database.ts";
import { giveName } from "./durable-file.ts";
import { migrationsFor, missingMigrations } from "./migrations.ts";
import { makePrivateFolder } from "./private-files.ts";

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
  makePrivateFolder(dirname(to));
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
 * Puts a copy in the place of a SQLite database. What was there, sound or not, is kept beside it; at no moment is there
 * no database. Whoever owned the former one, or the folder, owns the new one: who restores may be another user.
 *
 * @returns where the former database is now; `undefined` when there was none
 * @throws {DatabaseUnusable} when the copy is no sound database of the shop, or the shop is running
 */
export function restoreSqlite(file: string, from: string): string | undefined {
  checkBackup(from);
  makePrivateFolder(dirname(file));
  const part = `${file}.part`;
  try {
    copyFileSync(from, part);
    giveTo(part, existsSync(file) ? file : dirname(file));
    const former = setAside(file);
    giveName(part, file);
    return former;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Makes a file its owner's alone, who is the owner of another: only root can give files away, and needs to. */
function giveTo(file: string, example: string): void {
  chmodSync(file, 0o600);
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(example);
  chownSync(file, uid, gid);
}

/** Gives a database a second name, and takes its log out of the way. @returns that name; `undefined` when there is none */
function setAside(file: string): string | undefined {
  const aside = `${file}.before-${new Date().toISOString().replaceAll(":", "-")}`;
  const hadOne = existsSync(file);
  if (hadOne) {
    foldIn(file);
    linkSync(file, aside);
  }
  // A log that was left beside the former database would be taken for one of the new.
  for (const end of ["-wal", "-shm", "-journal"]) {
    if (existsSync(file + end)) renameSync(file + end, aside + end);
  }
  return hadOne ? aside : undefined;
}

/** @throws {DatabaseUnusable} unless the file is a sound database that this version of the shop can use */
export function checkBackup(file: string): void {
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

/**
 * Writes into the database's one file what stands beside it, which can only be done while nobody else uses it. One that
 * is damaged is left as it is.
 */
function foldIn(file: string): void {
  try {
    const database = new BetterSqlite3(file);
    try {
      database.pragma("journal_mode = DELETE");
    } finally {
      database.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
      throw new DatabaseUnusable(`${file} is in use: stop the shop first`);
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
  }
}
