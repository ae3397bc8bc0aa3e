import * as z from "zod/mini";

const refused = "is not a cursor of this list";
const described = z.describe("The next_cursor of the previous page, unchanged");

/** The end of a page of orders, encoded as `<epoch milliseconds>_<id>`. */
export const orderCursor = z.codec(
  z.string().check(z.regex(/^\d{1,16}_[0-9a-f-]{36}$/, refused), described),
  z.object({ created_at: z.number(), id: z.string() }),
  {
    decode(text) {
      const [created_at, id = ""] = text.split("_");
      return { created_at: Number(created_at), id };
    },
    encode: ({ created_at, id }) => `${created_at}_${id}`,
  },
);

const mismatchTuple = z.tuple([z.int(), z.string(), z.string(), z.string()]);

/** The end of a page of mismatches, encoded as an opaque text of letters, digits, dashes and underscores. */
export const mismatchCursor = z.codec(
  z.string().check(z.regex(/^[\w-]{1,2000}$/, refused), described),
  z.object({ seenAt: z.int(), contractId: z.string(), orderId: z.string(), kind: z.string() }),
  {
    decode(text, context) {
      const place = mismatchTuple.safeParse(parsed(Buffer.from(text, "base64url").toString()));
      if (!place.success) {
        context.issues.push({ code: "custom", message: refused, input: text });
        return z.NEVER;
      }
      const [seenAt, contractId, orderId, kind] = place.data;
      return { seenAt, contractId, orderId, kind };
    },
    encode: ({ seenAt, contractId, orderId, kind }) =>
      Buffer.from(JSON.stringify([seenAt, contractId, orderId, kind])).toString("base64url"),
  },
);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * One page of a list.
 *
 * @param rows the rows that were read: at most one more than the page has, which shows that there is another page
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
