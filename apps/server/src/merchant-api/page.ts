import * as z from "zod/mini";
import type { Cursor } from "../orders/index.ts";
import { fromOpaqueText, storableText, toOpaqueText } from "../payments/index.ts";

/** Why a cursor is not accepted. */
export const refused = "is not a cursor of this list";
const described = z.describe("The next_cursor of the previous page, unchanged");

/** A number of the cursors of orders: at most 15 digits, which are exact. */
const number = "(\\d{1,15})";
const ofTime = new RegExp(`^${number}_([0-9a-f-]{36})$`);
const ofChange = new RegExp(`^c${number}_${number}$`);
const ofAny = /^(?:\d{1,15}_[0-9a-f-]{36}|c\d{1,15}_\d{1,15})$/;

/** The end of a page of orders: `<milliseconds>_<id>` or `c<milliseconds>_<position>`. */
export const orderCursor = z.codec(
  z.string().check(z.regex(ofAny, { error: refused, abort: true }), described),
  z.custom<Cursor>(),
  {
    decode(text, context): Cursor {
      const [, time, id] = ofTime.exec(text) ?? [];
      if (id !== undefined) return { by: "time", created_at: Number(time), id };
      const [, changed, position] = ofChange.exec(text) ?? [];
      if (position !== undefined)
        return { by: "change", updated_at: Number(changed), position: Number(position) };
      context.issues.push({ code: "custom", message: refused, input: text });
      return z.NEVER;
    },
    encode(cursor) {
      switch (cursor.by) {
        case "time":
          return `${cursor.created_at}_${cursor.id}`;
        case "change":
          return `c${cursor.updated_at}_${cursor.position}`;
      }
    },
  },
);

/** The end of a page of given-up deliveries, encoded as `<epoch milliseconds>_<position>`. */
export const givenUpCursor = z.codec(
  z.string().check(z.regex(/^\d{1,15}_\d{1,15}$/, refused), described),
  z.object({ endedAt: z.int(), position: z.int() }),
  {
    decode(text) {
      const [endedAt, position] = text.split("_").map(Number);
      return { endedAt: endedAt ?? 0, position: position ?? 0 };
    },
    encode: ({ endedAt, position }) => `${endedAt}_${position}`,
  },
);

const mismatchTuple = z.tuple([z.int(), storableText, storableText, storableText]);

/**
 * The end of a page of mismatches, encoded as an opaque text of letters, digits, dashes and
 * underscores.
 */
export const mismatchCursor = z.codec(
  z.string().check(z.regex(/^[\w-]{1,2000}$/, refused), described),
  z.object({ seenAt: z.int(), contractId: z.string(), orderId: z.string(), kind: z.string() }),
  {
    decode(text, context) {
      const place = fromOpaqueText(text, mismatchTuple);
      if (place === undefined) {
        context.issues.push({ code: "custom", message: refused, input: text });
        return z.NEVER;
      }
      const [seenAt, contractId, orderId, kind] = place;
      return { seenAt, contractId, orderId, kind };
    },
    encode: ({ seenAt, contractId, orderId, kind }) =>
      toOpaqueText([seenAt, contractId, orderId, kind]),
  },
);

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
