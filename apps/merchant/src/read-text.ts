import { readFile } from "node:fs/promises";
import { usageError } from "./exit.ts";
import { printable } from "./output.ts";

/** The text of a file that was named on the command line. @throws {CommandFailed} if it cannot be read */
export function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(printable(`${file} cannot be read: ${why}`));
  });
}
