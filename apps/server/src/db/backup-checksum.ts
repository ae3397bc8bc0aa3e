import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseUnusable } from "./database.ts";
import { renameDurably } from "./durable-file.ts";

/** The ending of the file beside a backup that holds its SHA-256, in the format of `sha256sum`. */
export const CHECKSUM = ".sha256";
const CHUNK = 1024 * 1024;

/**
 * Renames a complete backup to its name. Its checksum is written first, so that no backup is ever without one.
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

/** @throws {DatabaseUnusable} when the backup has changed since it was made, or has no checksum */
export function verifyChecksum(backup: string): void {
  const checksum = backup + CHECKSUM;
  if (!existsSync(checksum))
    throw new DatabaseUnusable(
      `there is no file ${checksum} with the backup's checksum: copy it too; --no-checksum restores without it, such as a backup by 0.1.0`,
    );
  const [expected] = readFileSync(checksum, "utf8").split(" ");
  if (expected !== hashOf(backup))
    throw new DatabaseUnusable(`${backup} is damaged: its checksum is not the one in ${checksum}`);
}

/** Reads in parts, because a backup may be larger than the memory. */
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
