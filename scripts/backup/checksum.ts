import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";

/** The extension of the checksum file: the SHA-256 of a backup, in the format of `sha256sum`. */
export const CHECKSUM = ".sha256";
const CHUNK = 1024 * 1024;

/**
 * Renames a complete backup to its final name. Its checksum is written first, so none lacks one.
 */
export function finishBackup(part: string, backup: string): void {
  const checksum = backup + CHECKSUM;
  const written = `${checksum}.part`;
  try {
    writeFileSync(written, `${hashOf(part)}  ${basename(backup)}\n`);
    renameDurably(written, checksum);
  } finally {
    rmSync(written, { force: true });
  }
  renameDurably(part, backup);
}

/** @throws {DatabaseUnusable} if the backup has changed since it was made, or has no checksum */
export function verifyChecksum(backup: string): void {
  const checksum = backup + CHECKSUM;
  if (!existsSync(checksum))
    throw new DatabaseUnusable(
      `the backup's checksum file ${checksum} is missing: copy it too; --no-checksum restores a backup that has none, such as one made by pg_dump`,
    );
  const [expected] = readFileSync(checksum, "utf8").split(" ");
  if (expected !== hashOf(backup))
    throw new DatabaseUnusable(`${backup} is damaged: its checksum is not the one in ${checksum}`);
}

/** Reads in chunks, because a backup may not fit in memory. */
function hashOf(file: string): string {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK);
  const handle = openSync(file, "r");
  try {
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk))
      hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(handle);
  }
  return hash.digest("hex");
}

/**
 * Renames a file, with `fsync` before and after: after a crash, `name` is either complete or
 * unchanged.
 */
export function renameDurably(part: string, name: string): void {
  sync(part);
  renameSync(part, name);
  sync(dirname(name));
}

function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
