import * as z from "zod/mini";

/** Cells with a single line feed need quotes too. */
export const csvShape = { record_delimiter: "windows", quoted_match: /[\r\n]/ } as const;

/** What the descriptions of all operations that answer with CSV say. */
export const csvDescription =
  "A table for spreadsheets: UTF-8 with a byte order mark, commas, CRLF, and a header row (RFC 4180). An apostrophe precedes text that a spreadsheet would run as a formula (=, +, - or @ at the beginning of a cell, or after a semicolon, tab or line break in it) and text whose digits it would change, such as 01234. Times are in UTC. An answer without its last chunk is incomplete.";

/** What all operations of staff that answer with CSV declare. */
export const csvOperation = {
  media: "text/csv",
  answers: { 200: z.string() },
} as const;

/** Encodes a table in parts. Escape the cells with `escapeCell` first. */
export async function* csvOf(
  columns: readonly string[],
  batches: AsyncIterable<string[][]> | Iterable<string[][]>,
): AsyncGenerator<string> {
  // Loaded at the first export, to keep the start fast.
  const { stringify } = await import("csv-stringify/sync");
  yield stringify([[...columns]], { ...csvShape, bom: true });
  for await (const records of batches) yield stringify(records, csvShape);
}
