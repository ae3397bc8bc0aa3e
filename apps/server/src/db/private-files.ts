import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const FOR_OTHERS = 0o077;
/** What follows a database's name in the names of its log, of a restore under way, and of what a restore has put aside. */
const END = /^(?:\.before-\d{4}-\d\d-\d\dT[\d.-]+Z)?(?:-wal|-shm|-journal)?$|^\.part$/;
/** What else may stand in a folder that is the shop's alone: the databases and copies that it names itself, and the merchant's token. */
const OURS =
  /^(?:(?:keepsats|trial|sandbox)\.db(?:-wal|-shm|-journal)?|keepsats-[\dTZ-]+\.db|merchant-token|lost\+found)$/;

/**
 * Makes the place of a SQLite file, which holds names and addresses, one for its owner's eyes: the folder, the file, and
 * what SQLite and a restore put beside it. SQLite gives its log the mode of the file.
 *
 * A folder that was there already is restricted only if the file, or the merchant's token, was in it and nothing else
 * but what is the shop's: `/tmp` or a home is for others too. What belongs to another user stays as it is.
 */
export function keepPrivate(file: string): void {
  const folder = dirname(file);
  makePrivateFolder(folder);
  const before = readdirSync(folder);
  // "a" creates it and touches nothing that is there.
  closeSync(openSync(file, "a", 0o600));
  const wasOurs = before.includes(basename(file)) || before.includes("merchant-token");
  if (wasOurs && before.every((name) => OURS.test(name) || isBeside(file, name))) restrict(folder);
  for (const name of [basename(file), ...before].filter((name) => isBeside(file, name)))
    restrictFile(join(folder, name));
}

/** Whether a name is that of the database, or of what belongs to it. */
function isBeside(file: string, name: string): boolean {
  return name.startsWith(basename(file)) && END.test(name.slice(basename(file).length));
}

/** Makes a folder, and those above it, for its owner alone. @returns false where it was there already */
export function makePrivateFolder(folder: string): boolean {
  return mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
}

/** Takes a file from everybody else; a folder or link of that name stays as it is, and so does what is gone by now. */
function restrictFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) restrict(path);
}

/** Takes a file or folder of ours from everybody else. */
export function restrict(path: string): void {
  const { mode, uid } = lstatSync(path);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  const isLink = (mode & 0o170000) === 0o120000;
  if (isOurs && !isLink && (mode & FOR_OTHERS) !== 0) chmodSync(path, mode & 0o7700);
}
