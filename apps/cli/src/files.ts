import { isUtf8 } from "node:buffer";
import { type FileHandle, open, readFile, unlink } from "node:fs/promises";
import { CommandFailed, exitCodes, messageOf, usageError } from "./errors.ts";
import { printable } from "./output.ts";
import type { Session } from "./session.ts";

/** Refuses encodings other than UTF-8, because a lenient decoder would corrupt texts. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw usageError(printable(`${file} cannot be read: ${messageOf(error)}`));
  });
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const text = `${file} is not in UTF-8. Save it as UTF-8; nothing was changed.`;
  throw new CommandFailed(exitCodes.usage, printable(text));
}

/**
 * Writes a new file while its content is received, and shows its path and size. A file that could
 * not be completed is removed.
 *
 * @throws {CommandFailed} if the file exists or cannot be written, or the content breaks off
 */
export async function saveFile(
  session: Session,
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  text?: string,
): Promise<void> {
  const file = session.fileOf(name);
  let handle: FileHandle | undefined;
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      // Not earlier, so that a refused request makes no file.
      handle ??= await open(file, "wx");
      await handle.writeFile(chunk);
      bytes += chunk.length;
      session.progress(`${Math.round(bytes / 1024)} KB written …`);
    }
    await handle?.close();
  } catch (error) {
    await handle?.close().catch(() => {});
    if (handle !== undefined) await unlink(file);
    if (error instanceof CommandFailed) throw error;
    const message = printable(`${file} cannot be written: ${messageOf(error)}`);
    throw new CommandFailed(exitCodes.usage, message);
  }
  session.show({ file, bytes }, text ?? `${printable(file)} is written.`);
}
