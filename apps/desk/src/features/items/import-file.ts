import { MAX_IMPORT_BYTES } from "@keepsats/protocol";

/** The body of an import. */
export interface ImportFile {
  readonly type: "application/json" | "text/csv";
  readonly content: Blob | string;
}

export type ReadFile =
  | { readonly kind: "file"; readonly file: ImportFile }
  | { readonly kind: "fault"; readonly message: string };

/** What is needed of a file of the browser. */
type Chosen = Pick<File, "name" | "size"> & Blob;

/**
 * Reads a chosen file: a table by its name, or JSON, `{"items": […]}` or the list alone. The server
 * checks the rest.
 */
export async function readImportFile(file: Chosen): Promise<ReadFile> {
  if (file.size > MAX_IMPORT_BYTES)
    return {
      kind: "fault",
      message: `The file is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB; divide it.`,
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
    return { kind: "fault", message: "The file is neither a table (.csv) nor JSON." };
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
 * The place of an error in the file, for a person.
 *
 * @param path such as `items.2.price`, or of a table `lines.17.price`
 * @returns such as `item 3, price` or `line 17, price`
 */
export function placeText(path: string): string {
  const [list = "", index = "", ...field] = path.split(".");
  if (!/^\d+$/.test(index)) return path === "" ? "the file" : path;
  const place = list === "lines" ? `line ${index}` : `item ${Number(index) + 1}`;
  return field.length === 0 ? place : `${place}, ${field.join(".")}`;
}
