import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CHECKSUM } from "../apps/server/src/db/backup-checksum.ts";
import { restrict } from "../apps/server/src/db/private-files.ts";

/** The names of periodic copies, which sort by time. Other files in the folder are not touched. */
const PATTERN = /^keepsats-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(?:db|pgdump)$/;

/** The name of a copy made now, such as `keepsats-2026-11-22T03-30-00Z.db`. */
export function copyName(kind: "sqlite" | "postgres", now: Date): string {
  const second = now.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  return `keepsats-${second}.${kind === "sqlite" ? "db" : "pgdump"}`;
}

/**
 * Deletes all but the newest copies in a folder, and makes those readable only by their owner.
 *
 * @returns how many remain
 */
export function keepNewest(folder: string, most: number): number {
  const copies = readdirSync(folder)
    .filter((name) => PATTERN.test(name))
    .sort();
  const old = copies.slice(0, -most);
  for (const name of old) {
    rmSync(join(folder, name));
    rmSync(join(folder, name + CHECKSUM), { force: true });
  }
  for (const name of copies.slice(-most)) restrict(join(folder, name));
  return copies.length - old.length;
}
