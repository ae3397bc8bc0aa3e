/** Where a command writes. Tables are for people; with `json`, one JSON value is written for scripts. */
export interface Output {
  readonly json: boolean;
  line(text: string): void;
  /** For people who wait, and not part of the result. */
  progress(text: string): void;
}

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

/** A text from outside as it may go to a terminal: nothing in it can move the cursor, colour, or reorder what is shown. */
export function printable(text: string): string {
  return text.replace(unprintable, "\ufffd");
}

const ELLIPSIS = "…";

/** A text from outside in one short piece for a terminal: cleaned as by {@link printable}, and cut with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = [...printable(text)];
  return characters.length <= length
    ? characters.join("")
    : `${characters.slice(0, length - 1).join("")}${ELLIPSIS}`;
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

/** Lays out rows in columns; numbers, given by index in `right`, stand at the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Epoch seconds as a date and time that sort. */
export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}
