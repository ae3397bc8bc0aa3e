import { MAX_IMPORT_BYTES } from "@keepsats/protocol";

export interface ImportFile {
  readonly type: "application/json" | "text/csv";
  readonly content: File;
}

/**
 * A file for an import, recognized by its name. The server validates its content.
 *
 * @throws {RangeError} for a file that is too large
 * @throws {TypeError} for a file with another name
 */
export function importFileOf(file: File): ImportFile {
  if (file.size > MAX_IMPORT_BYTES)
    throw new RangeError(
      `The file is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Split it into several files.`,
    );
  if (/\.(?:csv|tsv|txt)$/i.test(file.name)) return { type: "text/csv", content: file };
  if (/\.json$/i.test(file.name)) return { type: "application/json", content: file };
  throw new TypeError("The file is neither CSV nor JSON.");
}

/**
 * The position of an error: `items.2.price` → `item 3, price`, `lines.17.price` → `line 17, price`.
 */
export function positionText(path: string): string {
  const [list = "", index = "", ...field] = path.split(".");
  if (!/^\d+$/.test(index)) return path === "" ? "the file" : path;
  const position = list === "lines" ? `line ${index}` : `item ${Number(index) + 1}`;
  return field.length === 0 ? position : `${position}, ${field.join(".")}`;
}
