import { pipeline, Readable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { MAX_IMPORT } from "@keepsats/protocol";
import { CsvError, type InfoRecord, parse } from "csv-parse";
import * as z from "zod/mini";
import { type CollectedItems, createItemCollector, MAX_ERRORS } from "./collect-items.ts";
import { fieldOf, type ItemColumn, itemColumns } from "./item-cells.ts";

/** How many records are checked, and how many bytes parsed, before yielding to the event loop. */
const MAX_RECORDS_PER_BATCH = 200;
const MAX_BYTES_PER_BATCH = 16 * 1024;
const MAX_RECORD = 64 * 1024;
const [QUOTE, NEWLINE = 0, RETURN] = Buffer.from('"\n\r');

class RecordTooLong extends Error {
  readonly line: number;

  /** @param line the first line of the record */
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
 * Reads items from CSV: commas, semicolons or tabs, with or without a byte order mark. The first
 * line names the columns, in any order. Items keep the fields whose columns are missing.
 *
 * @returns the items with paths such as `lines.2`, of the first line of each
 */
export async function readCsv(text: string): Promise<CollectedItems> {
  const delimiter = delimiterOf(text);
  const rows = createRows(delimiter === ";");
  const shape = { delimiter, record_delimiter: "\n", bom: true };
  const options = { ...shape, info: true, relax_column_count: true, skip_empty_lines: true };
  // The loop below throws the errors of the pipeline.
  const parser = pipeline(
    Readable.from(inSlices(text), { highWaterMark: 1 }),
    parse(options),
    () => {},
  );
  let count = 0;
  try {
    for await (const parsed of parser) {
      const { record, info } = recordSchema.parse(parsed);
      if (!rows.take(record, lineOf(record, info))) break;
      count += 1;
      if (count % MAX_RECORDS_PER_BATCH === 0) await yieldToEventLoop();
    }
  } catch (error) {
    if (error instanceof RecordTooLong) rows.fail(`lines.${error.line}`, error.message);
    else if (error instanceof CsvError)
      rows.fail(`lines.${Reflect.get(error, "lines")}`, describe(error));
    else throw error;
  }
  if (count === 0 && rows.collected.errors.length === 0)
    rows.fail("lines.1", "must name the columns");
  return rows.collected;
}

/** Slices the text, so that the parser does not block the event loop. Throws `RecordTooLong`. */
async function* inSlices(text: string): AsyncGenerator<Uint8Array> {
  const checkLength = createLengthCheck();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += MAX_BYTES_PER_BATCH) {
    // The parser does not count lines with mixed line ends.
    const slice = bytes
      .subarray(start, start + MAX_BYTES_PER_BATCH)
      .filter((byte, index) => byte !== NEWLINE || bytes[start + index - 1] !== RETURN)
      .map((byte) => (byte === RETURN ? NEWLINE : byte));
    checkLength(slice);
    yield slice;
    await yieldToEventLoop();
  }
}

/** Needed because the parser does not limit a record of empty cells. */
function createLengthCheck(): (slice: Uint8Array) => void {
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

/** Spreadsheets also export semicolons and tabs. The names of the columns contain neither. */
function delimiterOf(text: string): string {
  const [head = ""] = text.slice(0, MAX_RECORD).split(/[\r\n]/, 1);
  return [";", "\t"].find((delimiter) => head.includes(delimiter)) ?? ",";
}

/** Returns the first line of a record; the parser reports its last line. */
function lineOf(record: readonly string[], { lines }: Pick<InfoRecord, "lines">): number {
  return lines - (record.join("").match(/\n/g)?.length ?? 0);
}

function describe({ code }: CsvError): string {
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return "a quote is opened and not closed";
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return 'has a quote inside a cell: put the cell in quotes, and write "" for a quote in it';
    default:
      return "is not CSV";
  }
}

/** Collects the items of records. The first record has the names of the columns. */
function createRows(decimalComma: boolean) {
  const { collected, fail, add } = createItemCollector();
  const { items, errors } = collected;
  let columns: readonly ItemColumn[] | undefined;

  function readColumns(names: readonly string[], location: string): ItemColumn[] {
    const found = names.map((name) => name.trim().toLowerCase());
    for (const [index, name] of found.slice(0, MAX_ERRORS).entries()) {
      if (!itemColumns.some((column) => column === name))
        fail(location, `"${name}" is not one of the columns ${itemColumns.join(", ")}`);
      else if (found.indexOf(name) < index) fail(location, `the column ${name} is there twice`);
    }
    if (!found.includes("id")) fail(location, "there is no column id");
    return found.flatMap((name) => itemColumns.find((column) => column === name) ?? []);
  }

  function readItem(record: readonly string[], line: number, names: readonly ItemColumn[]): void {
    const location = `lines.${line}`;
    if (record.length !== names.length) {
      return fail(
        location,
        `has ${record.length} cells, and the first line names ${names.length} columns`,
      );
    }
    const fields = names.map(
      (name, index) => [name, fieldOf(name, record[index] ?? "", decimalComma)] as const,
    );
    const named = fields.filter(([, field]) => field !== undefined);
    add(Object.fromEntries(named), location);
  }

  return {
    collected,
    fail,
    /** @returns false if the other records need not be read */
    take(record: readonly string[], line: number): boolean {
      if (columns === undefined) {
        columns = readColumns(record, `lines.${line}`);
        return errors.length === 0;
      }
      readItem(record, line, columns);
      if (items.length > MAX_IMPORT) fail("lines", `must be at most ${MAX_IMPORT} items`);
      return items.length <= MAX_IMPORT && errors.length < MAX_ERRORS;
    },
  };
}
