/**
 * Text that a spreadsheet evaluates as a formula, with the apostrophes that this file has put
 * before it: at the start of a cell, and after a character at which a spreadsheet may split the
 * cell, since not all of them split at commas.
 */
const unsafe = /(^|[;\t\r\n])((?:[^\S\t\r\n]|")*)('*[=+\-@＝＋－＠])/g;
const safe = /(^|[;\t\r\n])((?:[^\S\t\r\n]|")*)'('*[=+\-@＝＋－＠])/g;
/** A start that some spreadsheets drop before they search for a formula. */
const dropped = /^'*[\t\r]/;

/** Puts an apostrophe before each part that a spreadsheet would evaluate as a formula. */
function safeCell(text: string): string {
  const marked = text.replaceAll(unsafe, "$1$2'$3");
  return dropped.test(marked) ? `'${marked}` : marked;
}

/**
 * Text that a spreadsheet reads as a number, date or time: it would turn `01234` into 1234, and a
 * tracking number of twenty digits into 3.4E+17.
 */
const numeric = /^'*(?=[^']*\d)[\d.,( ][\d.,:/e%() -]*$/i;
/** Numbers that spreadsheets keep unchanged. Longer ones become powers of ten. */
const kept = /^(?:0|[1-9]\d{0,10})$/;

/**
 * Escapes a text so that a spreadsheet neither evaluates a part of it as a formula, even if it
 * splits the cell at semicolons, tabs or line breaks, nor changes its digits.
 */
export function escapeCell(text: string): string {
  const safe = safeCell(text);
  return numeric.test(safe) && !kept.test(safe) ? `'${safe}` : safe;
}

/** Reverses {@link escapeCell}. */
export function unescapeCell(written: string): string {
  const cell = written.startsWith("'") && numeric.test(written) ? written.slice(1) : written;
  const marked = cell.startsWith("'") && dropped.test(cell) ? cell.slice(1) : cell;
  return marked.replaceAll(safe, "$1$2$3");
}
