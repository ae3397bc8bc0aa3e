import { isUtf8 } from "node:buffer";
import { type FileHandle, open, readFile, unlink } from "node:fs/promises";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes, usageError } from "./errors.ts";
import { printable } from "./output.ts";
import type { Session } from "./session.ts";

const NEWLINE = 0x0a;

/** Refuses encodings other than UTF-8, because a lenient decoder would corrupt texts. */
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

/** Streams an answer of the shop into a new file. */
export async function saveDownload(
  session: Session,
  name: string,
  request: Parameters<Client["download"]>[0],
): Promise<void> {
  const file = session.fileOf(name);
  const bytes = await saveFile(file, session.client.download(request), (written) =>
    session.progress(`${Math.round(written / 1024)} KB written …`),
  );
  session.show({ file, bytes }, `${printable(file)} is written.`);
}

/**
 * Writes a new file while its content is received. A file that could not be completed is removed.
 *
 * @returns the number of bytes
 * @throws {CommandFailed} if the file exists or cannot be written, or the content breaks off
 */
export async function saveFile(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onBytes: (bytes: number) => void = () => {},
): Promise<number> {
  let handle: FileHandle | undefined;
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      // Not earlier, so that a refused request makes no file.
      handle ??= await open(file, "wx").catch((error: unknown) => notWritten(file, error));
      await handle.writeFile(chunk).catch((error: unknown) => notWritten(file, error));
      bytes += chunk.length;
      onBytes(bytes);
    }
    await handle?.close();
    return bytes;
  } catch (error) {
    await handle?.close().catch(() => {});
    if (handle !== undefined) await unlink(file);
    throw error;
  }
}

function notWritten(file: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new CommandFailed(exitCodes.usage, printable(`${file} cannot be written: ${why}`));
}
