import { mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** The prefix of the folder of an unfinished build. */
export const UNFINISHED = ".build-";
/**
 * How long replaced files are kept for open pages, and for servers that still load them, in
 * milliseconds.
 */
const RETENTION = 7 * 24 * 3_600_000;

/**
 * Builds into a temporary folder inside `dist`, and deletes it at the end. `build` moves the result
 * into `dist`.
 */
export async function buildInside(
  dist: string,
  build: (fresh: string) => Promise<void>,
): Promise<void> {
  await mkdir(dist, { recursive: true });
  const interrupted = (await readdir(dist)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of interrupted) await deleteIfOld(join(dist, name));
  const fresh = await mkdtemp(join(dist, UNFINISHED));
  try {
    await build(fresh);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** All files below a folder, as relative paths. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

/** Sets the current time on a file or folder that this build replaces. */
export async function markReplaced(path: string): Promise<void> {
  const now = Date.now() / 1000;
  await utimes(path, now, now);
}

/** Deletes a file or folder that was replaced, or left unfinished, a week ago. */
export async function deleteIfOld(path: string): Promise<void> {
  if (Date.now() - (await stat(path)).mtimeMs > RETENTION)
    await rm(path, { recursive: true, force: true });
}
