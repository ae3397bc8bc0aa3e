import { isUtf8 } from "node:buffer";
import { type FileHandle, open, readFile, unlink } from "node:fs/promises";
import { CommandFailed, exitCodes, usageError } from "./exit.ts";
import { printable } from "./output.ts";

const NEWLINE = 0x0a;

/**
 * Reads strictly and refuses other encodings, because a lenient decoder would corrupt texts.
 *
 * @throws {CommandFailed} if the file cannot be read or is not in UTF-8
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(printable(`${file} cannot be read: ${why}`));
  });
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

/**
 * Writes a new file while its content is received. A file that could not be completed is removed.
 *
 * @param onBytes called with the number of bytes that are written
 * @returns the number of bytes
 * @throws {CommandFailed} if the file exists or cannot be written, or the content breaks off
 */
export async function saveFile(
  file: string,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: (bytes: number) => void = () => {},
): Promise<number> {
  let written: FileHandle | undefined;
  let bytes = 0;
  try {
    for await (const part of parts) {
      // Not earlier, so that a refused request makes no file.
      written ??= await open(file, "wx").catch((error: unknown) => notWritten(file, error));
      await written.writeFile(part).catch((error: unknown) => notWritten(file, error));
      bytes += part.length;
      onBytes(bytes);
    }
    await written?.close();
    return bytes;
  } catch (error) {
    await written?.close().catch(() => {});
    if (written !== undefined) await unlink(file);
    throw error;
  }
}

function notWritten(file: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new CommandFailed(exitCodes.usage, printable(`${file} cannot be written: ${why}`));
}
