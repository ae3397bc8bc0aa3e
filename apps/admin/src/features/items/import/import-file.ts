import { MAX_IMPORT_BYTES } from "@keepsats/protocol";

export interface ImportFile {
  readonly type: "application/json" | "text/csv";
  readonly content: Blob | string;
}

/**
 * Reads a CSV file, recognized by its name, or JSON: `{"items": […]}` or only the list. The server
 * validates the content.
 *
 * @throws {RangeError} for a file that is too large
 * @throws {TypeError} for a file that is not an import
 */
export async function readImportFile(file: File): Promise<ImportFile> {
  if (file.size > MAX_IMPORT_BYTES)
    throw new RangeError(
      `The file is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Split it into several files.`,
    );
  if (/\.(?:csv|tsv|txt)$/i.test(file.name)) return { type: "text/csv", content: file };
  const text = await utf8Of(file);
  try {
    const content: unknown = JSON.parse(text);
    const body = Array.isArray(content) ? JSON.stringify({ items: content }) : text;
    return { type: "application/json", content: body };
  } catch {
    throw new TypeError("The file is neither CSV nor JSON.");
  }
}

/** Decodes a file and strips its byte order mark. */
async function utf8Of(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError("The file is not in UTF-8. Save it as UTF-8.");
  }
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
