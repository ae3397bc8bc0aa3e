/**
 * One column of a table. `right`: aligned right, for numbers; `fill`: takes the remaining width;
 * `most`: the maximum width.
 */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly right?: boolean;
  readonly fill?: boolean;
  readonly most?: number;
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;
/** Characters that take two columns of a terminal. A wrong match only leaves a gap. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16000}-\u{3fffd}]|\p{Extended_Pictographic}/u;
const ELLIPSIS = "…";
const GAP = 2;
const LEAST_FILL = 12;

/**
 * Cleans an untrusted text for a terminal: removes everything that can move the cursor, set colours
 * or reorder text.
 */
export function printable(text: string): string {
  return text.replace(unprintable, "\ufffd");
}

/** The same for a text with several lines that may quote an untrusted one. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/**
 * A value as JSON, in one line or indented, with everything escaped that {@link printable} removes.
 */
export function json(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent)
    .split("\n")
    .map((line) => line.replace(unprintable, escaped))
    .join("\n");
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
  ).join("");
}

/**
 * An untrusted text, cleaned by {@link printable} and cut with an ellipsis to a width in columns.
 */
export function shortened(text: string, columns = 60): string {
  const clean = printable(text);
  if (widthOf(clean) <= columns) return clean;
  return `${leading(clean, columns - 1)}${ELLIPSIS}`;
}

const SHOWN_DIFFERENCE = 60;
const SHOWN_BEFORE_IT = 20;

/** Two texts, shortened around their first difference and cleaned for a terminal. */
export function difference(before: string, after: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = same < SHOWN_DIFFERENCE - SHOWN_BEFORE_IT ? 0 : same - SHOWN_BEFORE_IT;
  const cut = (text: string) =>
    `${start > 0 ? ELLIPSIS : ""}${shortened(text.slice(start), SHOWN_DIFFERENCE)}`;
  return [cut(before), cut(after)];
}

/**
 * Lays out rows in columns, one line each. Cells are cut, so that no wrapped text can look like a
 * row.
 *
 * @param notesOf texts that are wrapped below a row, beside its first column
 * @returns the head, then the rows
 */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  notesOf: (row: Row) => readonly string[] = () => [],
): string {
  const cells = rows.map((row) =>
    columns.map(({ cell, most = width }) => shortened(cell(row), most)),
  );
  const natural = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((row) => widthOf(row[at] ?? ""))),
  );
  const taken = columns.reduce(
    (sum, { fill }, at) => sum + GAP + (fill === true ? 0 : (natural[at] ?? 0)),
    -GAP,
  );
  const widths = columns.map(({ fill }, at) =>
    fill === true
      ? Math.min(natural[at] ?? 0, Math.max(LEAST_FILL, width - taken))
      : (natural[at] ?? 0),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, at) => {
        const cut = shortened(cell, widths[at] ?? 0);
        const blanks = " ".repeat((widths[at] ?? 0) - widthOf(cut));
        return columns[at]?.right === true ? blanks + cut : cut + blanks;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  const indent = (widths[0] ?? 0) + GAP;
  const lines = rows.flatMap((row, at) => [
    lineOf(cells[at] ?? []),
    ...notesOf(row).map((note) => labelled("", note, { indent, width })),
  ]);
  return [lineOf(columns.map(({ head }) => head)), ...lines].join("\n");
}

/** An untrusted text after a label, wrapped; all lines after the first are indented. */
export function labelled(
  label: string,
  text: string,
  { indent, width }: { indent: number; width: number },
): string {
  const room = Math.max(LEAST_FILL, width - indent);
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

/** Formats epoch milliseconds as a sortable date and time. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}

function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}

/** The longest beginning of a text that fits into a width in columns. */
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
