import { open, unlink } from "node:fs/promises";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printable } from "./output.ts";

/**
 * Writes a long answer to a new file while it is received. A file that could not be completed is
 * removed.
 *
 * @param onBytes called with the number of bytes that are written
 * @returns the number of bytes
 * @throws {CommandFailed} if the file exists or cannot be written, or the answer fails
 */
export async function saveFile(
  file: string,
  parts: AsyncGenerator<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<number> {
  // A refused request makes no file.
  const first = await parts.next();
  const written = await open(file, "wx").catch((error: unknown) => notWritten(file, error));
  let bytes = 0;
  try {
    for (let part = first; part.done !== true; part = await parts.next()) {
      await written.writeFile(part.value).catch((error: unknown) => notWritten(file, error));
      bytes += part.value.length;
      onBytes(bytes);
    }
    await written.close();
    return bytes;
  } catch (error) {
    await written.close().catch(() => {});
    await unlink(file);
    throw error;
  }
}

/** Ends a command whose file cannot be written. */
export function notWritten(file: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new CommandFailed(exitCodes.usage, printable(`${file} cannot be written: ${why}`));
}
