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
