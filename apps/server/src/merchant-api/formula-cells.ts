/**
 * What a spreadsheet takes for a formula, with the apostrophes that this file has put before it: at
 * the beginning of a cell, and after a mark at which a spreadsheet may divide the cell, since not
 * all of them divide at commas.
 */
const unsafe = /(^|[;\t\r\n])((?:[^\S\t\r\n]|")*)('*[=+\-@＝＋－＠])/g;
const safe = /(^|[;\t\r\n])((?:[^\S\t\r\n]|")*)'('*[=+\-@＝＋－＠])/g;
/** A beginning that some spreadsheets drop before they look for a formula. */
const dropped = /^'*[\t\r]/;

/** Puts an apostrophe before each part of a cell that a spreadsheet would evaluate as a formula. */
function safeCell(text: string): string {
  const marked = text.replaceAll(unsafe, "$1$2'$3");
  return dropped.test(marked) ? `'${marked}` : marked;
}

/**
 * Text that a spreadsheet reads as a number, date or time: it would store `01234` as 1234, and a
 * tracking number of twenty digits as 3.4E+17.
 */
const numeric = /^'*(?=[^']*\d)[\d.,( ][\d.,:/e%() -]*$/i;
/** Numbers that spreadsheets keep unchanged. Longer ones become powers of ten. */
const kept = /^(?:0|[1-9]\d{0,10})$/;

/**
 * Escapes a text so that a spreadsheet neither evaluates a part of it as a formula, even if it
 * splits the cell at semicolons, tabs or line breaks, nor changes its digits. {@link unsafeCell}
 * removes the apostrophes.
 */
export function textCell(text: string): string {
  const safe = safeCell(text);
  return numeric.test(safe) && !kept.test(safe) ? `'${safe}` : safe;
}

/** Reverses {@link textCell}. */
export function unsafeCell(written: string): string {
  const cell = written.startsWith("'") && numeric.test(written) ? written.slice(1) : written;
  const marked = cell.startsWith("'") && dropped.test(cell) ? cell.slice(1) : cell;
  return marked.replaceAll(safe, "$1$2$3");
}
