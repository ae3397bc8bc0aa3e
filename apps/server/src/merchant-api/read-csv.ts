import { pipeline, Readable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { FieldError } from "@keepsats/domain";
import { duplicateItem, type ImportedItem, MAX_IMPORT } from "@keepsats/protocol";
import { CsvError, type InfoRecord, parse } from "csv-parse";
import * as z from "zod/mini";
import { checkItem } from "./check-item.ts";
import { MAX_FAULTS } from "./import-tokens.ts";
import { fieldOf, type ItemColumn, itemColumns } from "./item-cells.ts";

/**
 * The items of a CSV file and their line numbers, from 1; for an invalid file also its first 100
 * errors at most.
 */
export type ReadCsv = {
  readonly items: readonly ImportedItem[];
  readonly lines: readonly number[];
} & (
  | { readonly kind: "items" }
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
);

/** The number of records to check, and of bytes to parse, before yielding to the event loop. */
const RECORDS_AT_A_TIME = 200;
const BYTES_AT_A_TIME = 16 * 1024;
const MAX_RECORD = 64 * 1024;
const [QUOTE, NEWLINE] = Buffer.from('"\n');

/** A record has more than {@link MAX_RECORD} bytes. */
class RecordTooLong extends Error {
  readonly line: number;

  /** @param line the line on which the record begins */
  constructor(line: number) {
    super(`is longer than ${MAX_RECORD / 1024} KB; is a quote missing?`);
    this.line = line;
  }
}

const recordSchema = z.object({
  record: z.array(z.string()),
  info: z.object({ lines: z.number() }),
});

/**
 * Reads items from CSV: commas, semicolons or tabs, with or without a byte order mark; the first
 * line names the columns, in any order. Columns that are not named stay as they are.
 *
 * @param pieces the text, cut anywhere
 */
export async function readCsv(pieces: readonly string[]): Promise<ReadCsv> {
  const delimiter = delimiterOf(pieces);
  const rows = createRows(delimiter === ";");
  const shape = { delimiter, record_delimiter: "\n", bom: true };
  const options = { ...shape, info: true, relax_column_count: true, skip_empty_lines: true };
  // The loop below throws what goes wrong.
  const parser = pipeline(
    Readable.from(inSlices(pieces), { highWaterMark: 1 }),
    parse(options),
    () => {},
  );
  let count = 0;
  try {
    for await (const parsed of parser) {
      const { record, info } = recordSchema.parse(parsed);
      if (!rows.take(record, lineOf(record, info))) break;
      count += 1;
      if (count % RECORDS_AT_A_TIME === 0) await yieldToEventLoop();
    }
  } catch (error) {
    if (error instanceof RecordTooLong) rows.fault(`lines.${error.line}`, error.message);
    else if (error instanceof CsvError)
      rows.fault(`lines.${Reflect.get(error, "lines")}`, describe(error));
    else throw error;
  }
  return rows.result();
}

/**
 * The text for the parser, which parses each slice in one turn of the event loop. @throws
 * {RecordTooLong}
 */
async function* inSlices(pieces: readonly string[]): AsyncGenerator<Buffer> {
  const checkLength = createLengthCheck();
  for (const text of withNewlines(pieces)) {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += BYTES_AT_A_TIME) {
      const slice = bytes.subarray(start, start + BYTES_AT_A_TIME);
      checkLength(slice);
      yield slice;
      await yieldToEventLoop();
    }
  }
}

/**
 * Creates a function that is called with each slice of a text. The parser has no limit for a record
 * of empty cells.
 */
function createLengthCheck(): (slice: Buffer) => void {
  let line = 1;
  let begin = 1;
  let length = 0;
  let isQuoted = false;
  return (slice) => {
    for (const byte of slice) {
      length += 1;
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (byte === NEWLINE) line += 1;
      if (byte === NEWLINE && !isQuoted) {
        begin = line;
        length = 0;
      }
      if (length > MAX_RECORD) throw new RecordTooLong(begin);
    }
  };
}

/**
 * The text with `\n` at the end of every line: the parser counts no lines that end in different
 * ways.
 */
function* withNewlines(pieces: readonly string[]): Generator<string> {
  let held = "";
  for (const piece of pieces) {
    const text = held + piece;
    // Whether a line feed follows is in the next piece.
    held = text.endsWith("\r") ? "\r" : "";
    yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, "\n");
  }
  yield held === "" ? "" : "\n";
}

/** Semicolons and tabs come from spreadsheets; the names of the columns contain neither. */
function delimiterOf(pieces: readonly string[]): string {
  let text = "";
  for (const piece of pieces) {
    if (text.length >= MAX_RECORD) break;
    text += piece.slice(0, MAX_RECORD);
  }
  const [head = ""] = text.split(/[\r\n]/, 1);
  return [";", "\t"].find((delimiter) => head.includes(delimiter)) ?? ",";
}

/** The line on which a record begins; the parser counts to its last line. */
function lineOf(record: readonly string[], { lines }: Pick<InfoRecord, "lines">): number {
  return lines - (record.join("").match(/\n/g)?.length ?? 0);
}

function describe({ code }: CsvError): string {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "a quote is opened and not closed";
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return 'has a quote inside of a cell: put the cell in quotes, and write "" for a quote in it';
    default:
      return "is not CSV";
  }
}

/** Collects the items of the records, of which the first has the names of the columns. */
function createRows(decimalComma: boolean) {
  const items: ImportedItem[] = [];
  const lines: number[] = [];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  let columns: readonly ItemColumn[] | undefined;

  function fault(path: string, message: string): void {
    if (errors.length < MAX_FAULTS) errors.push({ path, message });
  }

  function readColumns(names: readonly string[], place: string): ItemColumn[] {
    const found = names.map((name) => name.trim().toLowerCase());
    for (const [index, name] of found.slice(0, MAX_FAULTS).entries()) {
      if (!itemColumns.some((column) => column === name))
        fault(place, `"${name}" is none of the columns ${itemColumns.join(", ")}`);
      else if (found.indexOf(name) < index) fault(place, `the column ${name} is there twice`);
    }
    if (!found.includes("id")) fault(place, "there is no column id");
    return found.flatMap((name) => itemColumns.find((column) => column === name) ?? []);
  }

  function readItem(record: readonly string[], line: number, names: readonly ItemColumn[]): void {
    const place = `lines.${line}`;
    if (record.length !== names.length) {
      return fault(
        place,
        `has ${record.length} cells, and the first line names ${names.length} columns`,
      );
    }
    const fields = names.map(
      (name, index) => [name, fieldOf(name, record[index] ?? "", decimalComma)] as const,
    );
    const named = fields.filter(([, field]) => field !== undefined);
    const { item, issues } = checkItem(new Map(named));
    for (const { path, message } of issues) fault([place, ...path].join("."), message);
    if (item === undefined) return;
    if (item.id !== undefined && seen.has(item.id)) return fault(`${place}.id`, duplicateItem);
    if (item.id !== undefined) seen.add(item.id);
    items.push(item);
    lines.push(line);
  }

  return {
    fault,
    /** @returns false when the other records need not be read */
    take(record: readonly string[], line: number): boolean {
      if (columns === undefined) {
        columns = readColumns(record, `lines.${line}`);
        return errors.length === 0;
      }
      readItem(record, line, columns);
      if (items.length > MAX_IMPORT) fault("lines", `must be at most ${MAX_IMPORT} items`);
      return items.length <= MAX_IMPORT && errors.length < MAX_FAULTS;
    },
    result(): ReadCsv {
      if (columns === undefined && errors.length === 0) fault("lines.1", "must name the columns");
      return errors.length > 0
        ? { kind: "invalid", errors, items, lines }
        : { kind: "items", items, lines };
    },
  };
}
