import { MAX_IMPORT_BYTES } from "@keepsats/protocol";

export interface ImportFile {
  readonly type: "application/json" | "text/csv";
  readonly content: Blob | string;
}

export type ReadFile =
  | { readonly kind: "file"; readonly file: ImportFile }
  | { readonly kind: "fault"; readonly message: string };

/** The parts of a `File` that are needed here. */
type ChosenFile = Pick<File, "name" | "size"> & Blob;

/**
 * Reads a CSV file, recognized by its name, or JSON: `{"items": […]}` or only the list. The server
 * validates the content.
 */
export async function readImportFile(file: ChosenFile): Promise<ReadFile> {
  if (file.size > MAX_IMPORT_BYTES)
    return {
      kind: "fault",
      message: `The file is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Split it into several files.`,
    };
  if (/\.(?:csv|tsv|txt)$/i.test(file.name))
    return { kind: "file", file: { type: "text/csv", content: file } };
  const text = await utf8Of(file);
  if (text === undefined)
    return { kind: "fault", message: "The file is not in UTF-8. Save it as UTF-8." };
  try {
    const content: unknown = JSON.parse(text);
    const body = Array.isArray(content) ? JSON.stringify({ items: content }) : text;
    return { kind: "file", file: { type: "application/json", content: body } };
  } catch {
    return { kind: "fault", message: "The file is neither CSV nor JSON." };
  }
}

/** Decodes a file and strips its byte order mark. @returns `undefined` if it is not valid UTF-8 */
async function utf8Of(file: Blob): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
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
