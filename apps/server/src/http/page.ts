import * as z from "zod/mini";

/** Why a cursor is not accepted. */
export const notACursor = "is not a cursor of this list";

/** The text of a cursor in a query. */
export function cursorText(form: RegExp) {
  return z
    .string()
    .check(
      z.regex(form, { error: notACursor, abort: true }),
      z.describe("The next_cursor of the previous page, unchanged"),
    );
}

/**
 * One page of a list.
 *
 * @param rows the rows that were read: at most one more than the page has, which shows that there
 *   is another page
 * @param cursorOf the cursor of the last row
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { readonly page: Row[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next_cursor: last === undefined ? null : cursorOf(last) };
}
