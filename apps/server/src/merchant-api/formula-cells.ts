/**
 * What a spreadsheet takes for a formula, with the apostrophes that this file has put before it: at the beginning of a cell, and
 * after a mark at which a spreadsheet may divide the cell, since not all of them divide at commas.
 */
const unsafe = /(^|[;\t\r\n])((?:[^\S\t\r\n]|")*)('*[=+\-@＝＋－＠])/g;
const safe = /(^|[;\t\r\n])((?:[^\S\t\r\n]|")*)'('*[=+\-@＝＋－＠])/g;
/** A beginning that some spreadsheets drop before they look for a formula. */
const dropped = /^'*[\t\r]/;

/**
 * Puts an apostrophe before each part of a cell that a spreadsheet would run as a formula, also if it divides the cell at
 * semicolons, tabs or line breaks; {@link unsafeCell} takes them away.
 */
export function safeCell(text: string): string {
  const marked = text.replaceAll(unsafe, "$1$2'$3");
  return dropped.test(marked) ? `'${marked}` : marked;
}

/** The text of a cell that {@link safeCell} has written. */
export function unsafeCell(cell: string): string {
  const marked = cell.startsWith("'") && dropped.test(cell) ? cell.slice(1) : cell;
  return marked.replaceAll(safe, "$1$2$3");
}
