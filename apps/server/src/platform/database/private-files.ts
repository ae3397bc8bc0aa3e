import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const GROUP_AND_OTHERS = 0o077;
/** Suffixes of the files of a database: its logs, an unfinished restore, and replaced databases. */
const SUFFIX = /^(?:\.before-\d{4}-\d\d-\d\dT[\d.-]+Z)?(?:-wal|-shm|-journal)?$|^\.part$/;
/** Other files of the shop: databases and backups with default names, and `ADMIN_TOKEN`. */
const SHOP_FILES =
  /^(?:(?:keepsats|trial|sandbox)\.db(?:-wal|-shm|-journal)?|keepsats-[\dTZ-]+\.db(?:\.sha256)?|admin-token|lost\+found)$/;

/**
 * Restricts a SQLite file, which has personal data, to its owner: creates the file and its folder
 * if needed, and removes the rights of group and others from the file, its logs and the databases
 * that restores have replaced. SQLite creates its logs with the mode of the database file.
 *
 * An existing folder is restricted only if it has the database or the file of `ADMIN_TOKEN`, and no
 * other files: not `/tmp` or a home directory. Files of another user are not changed.
 */
export function keepPrivate(file: string): void {
  const folder = dirname(file);
  makePrivateFolder(folder);
  const before = readdirSync(folder);
  // "a" creates the file and does not truncate an existing one.
  closeSync(openSync(file, "a", 0o600));
  const hasShopFile = before.includes(basename(file)) || before.includes("admin-token");
  if (hasShopFile && before.every((name) => SHOP_FILES.test(name) || belongsTo(file, name)))
    restrict(folder);
  for (const name of [basename(file), ...before].filter((name) => belongsTo(file, name)))
    restrictFile(join(folder, name));
}

/** Whether `name` is the database or one of its logs, restores or replaced copies. */
function belongsTo(file: string, name: string): boolean {
  return name.startsWith(basename(file)) && SUFFIX.test(name.slice(basename(file).length));
}

/** Creates a folder and its parents with mode 700. Returns false if the folder already exists. */
export function makePrivateFolder(folder: string): boolean {
  return mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
}

/** {@link restrict} for regular files; ignores folders, links and missing files. */
function restrictFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) restrict(path);
}

/** Removes all rights of group and others. Ignores links and files of another user. */
export function restrict(path: string): void {
  const { mode, uid } = lstatSync(path);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  const isLink = (mode & 0o170000) === 0o120000;
  if (isOurs && !isLink && (mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, mode & 0o7700);
}
