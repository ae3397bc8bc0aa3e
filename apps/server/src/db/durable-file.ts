import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/** Gives a finished file its name: after a crash there is either all of it under that name or nothing. */
export function giveName(part: string, name: string): void {
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
