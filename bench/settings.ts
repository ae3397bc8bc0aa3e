import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string | undefined;
let written = 0;

/**
 * Writes the settings of a load program to a file, because they are too long for a command line.
 * @returns the file
 */
export function writeSettings(settings: object): string {
  return writeBytes(JSON.stringify(settings));
}

/** Writes what a load program sends. @returns the file */
export function writeBytes(content: string | Uint8Array): string {
  folder ??= mkdtempSync(join(tmpdir(), "keepsats-bench-"));
  written += 1;
  const file = join(folder, String(written));
  writeFileSync(file, content);
  return file;
}

/** Removes all files with settings. */
export function removeSettings(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true });
}

/** Reads the settings of this program from the file in its command line. */
export function readSettings<Settings>(): Settings {
  return JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
}
