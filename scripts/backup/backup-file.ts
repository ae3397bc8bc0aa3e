import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { DatabaseUnusable } from "../../apps/server/src/platform/database/database.ts";
import { makePrivateFolder } from "../../apps/server/src/platform/database/private-files.ts";

/** The extension of the checksum file: the SHA-256 of a backup, in the format of `sha256sum`. */
export const CHECKSUM = ".sha256";

/**
 * Creates a backup and its checksum. `write` writes and verifies `<backup>.part`, which is renamed
 * at the end: a file `backup` is always complete and on the disk, and has a checksum.
 *
 * @throws {DatabaseUnusable} if `backup` already exists
 */
export async function createBackup(
  backup: string,
  write: (part: string) => void | Promise<void>,
): Promise<void> {
  if (existsSync(backup))
    throw new DatabaseUnusable(`${backup} already exists and is not overwritten`);
  const checksum = backup + CHECKSUM;
  const parts = { backup: `${backup}.part`, checksum: `${checksum}.part` };
  makePrivateFolder(dirname(backup));
  rmSync(parts.backup, { force: true });
  try {
    await write(parts.backup);
    writeFileSync(parts.checksum, `${await hashOf(parts.backup)}  ${basename(backup)}\n`);
    await renameDurably(parts.checksum, checksum);
    await renameDurably(parts.backup, backup);
  } finally {
    for (const part of Object.values(parts)) rmSync(part, { force: true });
  }
}

/** @throws {DatabaseUnusable} if the backup has changed since it was made, or has no checksum */
export async function verifyChecksum(backup: string): Promise<void> {
  const checksum = backup + CHECKSUM;
  if (!existsSync(checksum))
    throw new DatabaseUnusable(
      `the backup's checksum file ${checksum} is missing: copy it too; --no-checksum restores a backup that has none, such as one made by pg_dump`,
    );
  const [expected] = readFileSync(checksum, "utf8").split(" ");
  if (expected !== (await hashOf(backup)))
    throw new DatabaseUnusable(`${backup} is damaged: its checksum is not the one in ${checksum}`);
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Renames a file, with `fsync` before and after: after a crash, `name` is either complete or
 * unchanged.
 */
export async function renameDurably(part: string, name: string): Promise<void> {
  await sync(part);
  await rename(part, name);
  await sync(dirname(name));
}

async function sync(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}
