import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { CommandFailed, exitCodes, usageError } from "./exit.ts";
import { printable } from "./output.ts";

const NEWLINE = 0x0a;

/**
 * Reads a text file named on the command line. @throws {CommandFailed} if it cannot be read or is
 * not in UTF-8
 */
export async function readText(file: string): Promise<string> {
  return decode(file, await readBytes(file));
}

/** Reads a file named on the command line. @throws {CommandFailed} if it cannot be read */
export function readBytes(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(printable(`${file} cannot be read: ${why}`));
  });
}

/** Decodes strictly and refuses other encodings, because a lenient decoder would corrupt texts. */
export function decode(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  let [line, start, end] = [0, 0, -1];
  do {
    line += 1;
    start = end + 1;
    end = bytes.indexOf(NEWLINE, start);
  } while (end !== -1 && isUtf8(bytes.subarray(start, end)));
  throw new CommandFailed(
    exitCodes.usage,
    `${printable(file)} is not in UTF-8: line ${line} has bytes of another encoding. Save it as UTF-8; nothing was changed.`,
  );
}
