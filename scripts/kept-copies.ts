import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { restrict } from "../apps/server/src/db/private-files.ts";

/** Names of copies that a timer makes: they sort by time. Nothing else in their folder is touched. */
const PATTERN = /^keepsats-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(?:db|pgdump)$/;

/** The name of a copy made now, such as `keepsats-2026-11-22T03-30-00Z.db`. */
export function copyName(kind: "sqlite" | "postgres", now: Date): string {
  const second = now.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  return `keepsats-${second}.${kind === "sqlite" ? "db" : "pgdump"}`;
}

/** Removes all copies in a folder but the newest, and makes those their owner's alone. @returns how many are there now */
export function keepNewest(folder: string, most: number): number {
  const copies = readdirSync(folder)
    .filter((name) => PATTERN.test(name))
    .sort();
  const old = copies.slice(0, -most);
  for (const name of old) rmSync(join(folder, name));
  for (const name of copies.slice(-most)) restrict(join(folder, name));
  return copies.length - old.length;
}
