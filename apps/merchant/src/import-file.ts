import {
  type ImportedItem,
  itemImportSchema,
  MAX_IMPORT,
  MAX_IMPORT_BYTES,
} from "@keepsats/protocol";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printable, shortened } from "./output.ts";
import { decode, readBytes } from "./read-text.ts";

const SHOWN_FAULTS = 20;
const SHOWN_ID = 60;

/** Whether a file is a table, by its name. */
export function isCsv(file: string): boolean {
  return /\.(?:csv|tsv|txt)$/i.test(file);
}

/** Reads a table of items, which the shop checks. @throws {CommandFailed} if it cannot be read */
export async function readTable(file: string): Promise<string> {
  return decode(file, await read(file));
}

/**
 * Reads a file of items: `{"items": […]}`, or the array alone, in UTF-8 with or without a byte
 * order mark.
 *
 * @throws {CommandFailed} if it cannot be read or is invalid; the message has every error with its
 *   place
 */
export async function readImport(file: string): Promise<ImportedItem[]> {
  const content = parse(file, decode(file, await read(file)));
  const items: unknown = Array.isArray(content) ? content : Reflect.get(Object(content), "items");
  if (Array.isArray(items) && items.length > MAX_IMPORT) {
    throw new CommandFailed(
      exitCodes.usage,
      `${printable(file)} has ${items.length} items, and an import takes ${MAX_IMPORT} at most; divide it.`,
    );
  }
  const parsed = itemImportSchema.safeParse(Array.isArray(content) ? { items: content } : content);
  if (parsed.success) return parsed.data.items;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `  ${placeIn(items, path.map(String))}: ${printable(message)}`,
  );
  const more = faults.length - SHOWN_FAULTS;
  throw new CommandFailed(
    exitCodes.usage,
    [
      `${printable(file)} was not imported; nothing was changed.`,
      ...faults.slice(0, SHOWN_FAULTS),
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ].join("\n"),
  );
}

/**
 * Describes the place of an error for a person, counting from 1.
 *
 * @param items the list of items
 * @param path such as `["items", "2", "price"]`, or of a table `["lines", "17", "price"]`
 * @returns such as `item 3 (mug), price` or `line 17, price`
 */
export function placeIn(items: unknown, path: readonly string[]): string {
  const [list, index = "", ...field] = path;
  if (list === "lines" && index !== "") return printable([`line ${index}`, ...field].join(", "));
  if (list !== "items" || !/^\d+$/.test(index)) return printable(path.join(".")) || "the file";
  const id: unknown = Array.isArray(items)
    ? Reflect.get(Object(items[Number(index)]), "id")
    : undefined;
  const name = typeof id === "string" ? ` (${shortened(id, SHOWN_ID)})` : "";
  return `item ${Number(index) + 1}${name}${field.length > 0 ? `, ${printable(field.join("."))}` : ""}`;
}

async function read(file: string): Promise<Buffer> {
  const bytes = await readBytes(file);
  if (bytes.length <= MAX_IMPORT_BYTES) return bytes;
  throw new CommandFailed(
    exitCodes.usage,
    `${printable(file)} is too large: an import takes ${MAX_IMPORT_BYTES / 1024 / 1024} MiB at most; divide it.`,
  );
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailed(
      exitCodes.usage,
      printable(`${file} is not JSON: ${error instanceof Error ? error.message : error}`),
    );
  }
}
