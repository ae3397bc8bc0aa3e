import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of Linux whose files are in memory. */
const IN_MEMORY = "/dev/shm";
/** The tests of a run need less, in bytes. */
const MIN_FREE = 2 * 1024 ** 3;

/**
 * Creates the folder for the temporary files of tests, and removes it when this process ends. It is
 * in memory if there is enough, because each commit of SQLite waits for the disk.
 */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), "keepsats-tests-"));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o755);
  // A server that was interrupted with the tests may still write.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > MIN_FREE;
}
