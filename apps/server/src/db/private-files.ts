import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const FOR_OTHERS = 0o077;
/** What a data folder of the shop holds: databases, what SQLite and a restore put beside them, and the merchant's token. */
const OURS = /^(?:[\w.-]+\.db(?:-wal|-shm|-journal|\.part|\.before-.*)?|merchant-token|lost\+found)$/;

/**
 * Makes the place of a SQLite file, which holds names and addresses, one for its owner's eyes: the folder, the file, and
 * what stands beside it under its name. SQLite gives its log the mode of the file.
 *
 * A folder that was there already is restricted only if it holds nothing but databases of the shop: `/tmp` or a home is
 * for others too. What belongs to another user stays as it is.
 */
export function keepPrivate(file: string): void {
  const folder = dirname(file);
  const isNew = makePrivateFolder(folder);
  // "a" creates it and touches nothing that is there.
  closeSync(openSync(file, "a", 0o600));
  const names = readdirSync(folder);
  if (!isNew && names.every((name) => OURS.test(name) || name === basename(file))) restrict(folder);
  for (const name of names.filter((name) => name.startsWith(basename(file)))) restrict(join(folder, name));
}

/** Makes a folder, and those above it, for its owner alone. @returns false where it was there already */
export function makePrivateFolder(folder: string): boolean {
  return mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
}

/** Takes a file or folder of ours from everybody else. */
export function restrict(path: string): void {
  const { mode, uid } = lstatSync(path);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  const isLink = (mode & 0o170000) === 0o120000;
  if (isOurs && !isLink && (mode & FOR_OTHERS) !== 0) chmodSync(path, mode & 0o7700);
}
