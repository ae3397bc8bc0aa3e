/** Where a command writes. Tables are for people; with `json`, one JSON value is written for scripts. */
export interface Output {
  readonly json: boolean;
  /** How many columns the terminal has. */
  readonly width: number;
  line(text: string): void;
  /** For people who wait, and not part of the result. */
  progress(text: string): void;
}

/** One column of a table: `right` for numbers, `fill` takes what the others leave, others have at most `most` columns. */
export interface Column {
  readonly head: string;
  readonly right?: boolean;
  readonly fill?: boolean;
  readonly most?: number;
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;
/** What takes two columns of a terminal; whatever is taken for wide and is not only leaves a gap. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16000}-\u{3fffd}]|\p{Extended_Pictographic}/u;
const ELLIPSIS = "…";
const GAP = 2;
const LEAST_FILL = 12;

/** A text from outside as it may go to a terminal: nothing in it can move the cursor, colour, or reorder what is shown. */
export function printable(text: string): string {
  return text.replace(unprintable, "\ufffd");
}

/** The same for a text of our own that has lines and may quote a stranger's. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** A value as JSON, in one line or indented, in which nothing can do to a terminal what {@link printable} takes out. */
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

/** A text from outside, cleaned as by {@link printable} and cut with an ellipsis to so many columns of a terminal. */
export function shortened(text: string, columns: number): string {
  const clean = printable(text);
  if (widthOf(clean) <= columns) return clean;
  return `${leading(clean, columns - 1)}${ELLIPSIS}`;
}

const SHOWN_DIFFERENCE = 60;
const SHOWN_BEFORE_IT = 20;

/** Two texts cut to where they begin to differ, cleaned for a terminal. */
export function difference(before: string, after: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = same < SHOWN_DIFFERENCE - SHOWN_BEFORE_IT ? 0 : same - SHOWN_BEFORE_IT;
  const cut = (text: string) =>
    `${start > 0 ? ELLIPSIS : ""}${shortened(text.slice(start), SHOWN_DIFFERENCE)}`;
  return [cut(before), cut(after)];
}

/**
 * Lays out rows in columns, one line each: a cell is cut, so that the terminal never wraps one into what looks like a row.
 *
 * @returns the head and then the rows
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const cells = rows.map((row) => columns.map(({ most = width }, at) => shortened(row[at] ?? "", most)));
  const natural = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((row) => widthOf(row[at] ?? ""))),
  );
  const taken = columns.reduce(
    (sum, { fill }, at) => sum + GAP + (fill === true ? 0 : (natural[at] ?? 0)),
    -GAP,
  );
  const widths = columns.map(({ fill }, at) =>
    fill === true ? Math.min(natural[at] ?? 0, Math.max(LEAST_FILL, width - taken)) : (natural[at] ?? 0),
  );
  return [columns.map(({ head }) => head), ...cells].map((row) =>
    row
      .map((cell, at) => {
        const cut = shortened(cell, widths[at] ?? 0);
        const blanks = " ".repeat((widths[at] ?? 0) - widthOf(cut));
        return columns[at]?.right === true ? blanks + cut : cut + blanks;
      })
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** A text from outside under a label, in as many lines as it needs, all of which but the first begin with blanks. */
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

/** Epoch milliseconds as a date and time that sort. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}

function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}

/** As much of the beginning of a text as so many columns hold. */
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
