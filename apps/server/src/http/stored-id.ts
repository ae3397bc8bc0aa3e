import * as z from "zod/mini";

/**
 * The id of a row, in a path. The shop makes only ids of such characters. Others can be no id, and
 * PostgreSQL refuses a query with a zero byte.
 */
export const storedId = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));
