import { readFile } from "node:fs/promises";
import { type ImportedItem, itemImportSchema } from "@keepsats/protocol";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printable } from "./output.ts";

const SHOWN_FAULTS = 20;

/**
 * Reads a file of items: `{"items": […]}`, or the array alone.
 *
 * @throws {CommandFailed} when it cannot be read or anything in it is wrong; every fault is told with its place
 */
export async function readImport(file: string): Promise<readonly ImportedItem[]> {
  const content = parse(file, await read(file));
  const parsed = itemImportSchema.safeParse(Array.isArray(content) ? { items: content } : content);
  if (parsed.success) return parsed.data.items;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `  ${place(path, content)}: ${printable(message)}`,
  );
  const more = faults.length - SHOWN_FAULTS;
  throw new CommandFailed(
    exitCodes.usage,
    [
      `${file} was not imported; nothing was changed.`,
      ...faults.slice(0, SHOWN_FAULTS),
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ].join("\n"),
  );
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandFailed(
      exitCodes.usage,
      `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailed(
      exitCodes.usage,
      `${file} is not JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Where a fault is, as a person counts: `item 3 (mug), price`. */
function place(path: readonly PropertyKey[], content: unknown): string {
  const [list, index, ...field] = path;
  if (list !== "items" || typeof index !== "number") return path.join(".") || "the file";
  const items: unknown = Array.isArray(content) ? content : Reflect.get(Object(content), "items");
  const id: unknown = Array.isArray(items) ? Reflect.get(Object(items[index]), "id") : undefined;
  const name = typeof id === "string" ? ` (${printable(id).slice(0, 60)})` : "";
  return `item ${index + 1}${name}${field.length > 0 ? `, ${field.join(".")}` : ""}`;
}
