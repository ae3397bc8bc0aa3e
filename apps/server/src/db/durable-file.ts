import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Renames a finished file, with `fsync` before and after: after a crash, `name` is either complete
 * or unchanged.
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
