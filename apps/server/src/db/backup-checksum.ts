import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { DatabaseUnusable } from "./database.ts";
import { renameDurably } from "./durable-file.ts";

/** The extension of the file with a backup's SHA-256, in the format of `sha256sum`. */
export const CHECKSUM = ".sha256";
const CHUNK = 1024 * 1024;

/**
 * Moves a complete backup to its final name. The checksum is written first, so no backup lacks one.
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
