export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** Aligned right, for numbers. */
  readonly right?: boolean;
  /** Takes the remaining width. */
  readonly fill?: boolean;
  readonly maxWidth?: number;
}

/** Everything that can move the cursor, set colours or reorder text, except line feeds. */
const unprintable = /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]--\n]/gv;
/** Characters that take two columns of a terminal. A wrong match only leaves a gap. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16000}-\u{3fffd}]|\p{Extended_Pictographic}/u;
const ELLIPSIS = "…";
const GAP = 2;
const MIN_FILL = 12;

/** Cleans an untrusted text for a terminal, as one line. */
export function printable(text: string): string {
  return printableLines(text).replaceAll("\n", "\ufffd");
}

/** Cleans a text of several lines that may quote an untrusted one. */
export function printableLines(text: string): string {
  return text.replace(unprintable, "\ufffd");
}

/** JSON in one line, or indented, with everything escaped that {@link printable} replaces. */
export function json(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(unprintable, escaped);
}

/** The escape sequence of each UTF-16 code unit. */
function escaped(character: string): string {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16));
  return units.map((unit) => `\\u${unit.padStart(4, "0")}`).join("");
}

/** Cleans an untrusted text, and cuts it with an ellipsis to a width in columns. */
export function shortened(text: string, columns = 60): string {
  const clean = printable(text);
  if (widthOf(clean) <= columns) return clean;
  return `${leading(clean, columns - 1)}${ELLIPSIS}`;
}

const DIFFERENCE_WIDTH = 60;
const DIFFERENCE_CONTEXT = 20;

/** Cleans two texts, and cuts them around their first difference. */
export function difference(before: string, after: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = same < DIFFERENCE_WIDTH - DIFFERENCE_CONTEXT ? 0 : same - DIFFERENCE_CONTEXT;
  const cut = (text: string) =>
    `${start > 0 ? ELLIPSIS : ""}${shortened(text.slice(start), DIFFERENCE_WIDTH)}`;
  return [cut(before), cut(after)];
}

/**
 * Lays out rows in columns, one line each. Cells are cut, so that no wrapped text can look like a
 * row.
 *
 * @param notesOf texts that are wrapped below a row, beside its first column; `null` for none
 * @returns the head, then the rows; an empty text without rows
 */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  notesOf: (row: Row) => readonly (string | null)[] = () => [],
): string {
  if (rows.length === 0) return "";
  const measured = columns.map(({ head, cell, maxWidth = width, ...column }) => {
    const texts = [head, ...rows.map((row) => shortened(cell(row), maxWidth))];
    return { ...column, texts, natural: Math.max(...texts.map(widthOf)) };
  });
  const fixed = measured.reduce((sum, { fill, natural }) => sum + (fill ? 0 : natural), 0);
  const rest = Math.max(MIN_FILL, width - fixed - GAP * (columns.length - 1));
  const aligned = measured.map(({ texts, natural, right, fill }) => {
    const room = fill ? Math.min(natural, rest) : natural;
    return texts.map((text) => {
      const cut = shortened(text, room);
      const blanks = " ".repeat(room - widthOf(cut));
      return right ? blanks + cut : cut + blanks;
    });
  });
  const lineAt = (at: number) => aligned.map((column) => column[at]).join(" ".repeat(GAP));
  const indent = widthOf(aligned[0]?.[0] ?? "") + GAP;
  const lines = rows.flatMap((row, at) => {
    const notes = notesOf(row).filter((note) => note !== null);
    return [lineAt(at + 1), ...notes.map((note) => labelled("", note, { indent, width }))];
  });
  return [lineAt(0), ...lines].map((line) => line.trimEnd()).join("\n");
}

/** Joins paragraphs with a blank line between them; empty ones are left out. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Cleans and wraps an untrusted text after a label; all lines after the first are indented. */
export function labelled(
  label: string,
  text: string,
  { indent, width }: { indent: number; width: number },
): string {
  const room = Math.max(MIN_FILL, width - indent);
  const lines: string[] = [];
  let rest = printable(text.replace(/\s+/g, " ").trim());
  while (widthOf(rest) > room) {
    const most = leading(rest, room);
    const blank = most.lastIndexOf(" ");
    const line = blank > 0 ? most.slice(0, blank) : most;
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return `${label.padEnd(indent)}${[...lines, rest].join(`\n${" ".repeat(indent)}`)}`;
}

/** Formats epoch milliseconds as a sortable date and time, in UTC. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}

function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}

/** The longest prefix of a text that fits into a width in columns. */
function leading(text: string, columns: number): string {
  let taken = "";
  let used = 0;
  for (const character of text) {
    used += wide.test(character) ? 2 : 1;
    if (used > columns) break;
    taken += character;
  }
  return taken;
}
