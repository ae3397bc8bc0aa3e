import * as z from "zod/mini";

export const notACursor = "is not a cursor of this list";

/** The schema of a cursor in a query. */
export function cursorText(form: RegExp) {
  return z
    .string()
    .check(
      z.regex(form, { error: notACursor, abort: true }),
      z.describe("The next_cursor of the previous page, unchanged"),
    );
}

/**
 * One page of a keyset-paginated list.
 *
 * @param rows at most `limit` + 1 rows; the extra row shows that there is another page
 * @param cursorOf the cursor after a row
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
