import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

const GROUP_AND_OTHERS = 0o077;

/**
 * Restricts a SQLite file, which has personal data, to its owner: creates the file and its folder
 * if needed, and removes the rights of group and others from the file and its logs. SQLite creates
 * its logs with the mode of the database file. Files of another user are not changed.
 */
export function keepPrivate(file: string): void {
  makePrivateFolder(dirname(file));
  // "a" creates the file and does not truncate an existing one.
  closeSync(openSync(file, "a", 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) restrict(path);
}

/** Creates a folder and its parents with mode 700, unless it exists. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Removes all rights of group and others. Ignores links and files of another user. */
export function restrict(path: string): void {
  const { mode, uid } = lstatSync(path);
  // Windows has no modes, and no `getuid`.
  const isOurs = uid === process.getuid?.();
  const isLink = (mode & 0o170000) === 0o120000;
  if (isOurs && !isLink && (mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, mode & 0o7700);
}
