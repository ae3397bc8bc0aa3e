import { isUtf8 } from "node:buffer";
import { open, readFile, unlink } from "node:fs/promises";
import { CommandFailed, exitCodes, messageOf, usageError } from "./errors.ts";
import { printable } from "./output.ts";
import type { Session } from "./session.ts";

/** Refuses encodings other than UTF-8, because a lenient decoder would corrupt texts. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw usageError(printable(`${file} cannot be read: ${messageOf(error)}`));
  });
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  throw usageFailure(`${file} is not in UTF-8. Save it as UTF-8; nothing was changed.`);
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
  content: AsyncIterable<Uint8Array> | Uint8Array,
  text?: string,
): Promise<void> {
  const file = session.fileOf(name);
  const notWritten = (error: unknown) =>
    usageFailure(`${file} cannot be written: ${messageOf(error)}`);
  const output = await open(file, "wx").catch((error: unknown) => {
    throw notWritten(error);
  });
  try {
    await output.writeFile(content);
  } catch (error) {
    await output.close();
    await unlink(file);
    throw error instanceof CommandFailed ? error : notWritten(error);
  }
  const { size } = await output.stat();
  await output.close();
  session.show({ file, bytes: size }, text ?? `${printable(file)} is written.`);
}

function usageFailure(message: string): CommandFailed {
  return new CommandFailed(exitCodes.usage, printable(message));
}
