import * as z from "zod/mini";
import { cursorText, notACursor } from "../http/page.ts";
import type { Cursor } from "../orders/index.ts";

/** A number of the cursors of orders: at most 15 digits, which are exact. */
const number = "(\\d{1,15})";
const ofTime = new RegExp(`^${number}_([0-9a-f-]{36})$`);
const ofChange = new RegExp(`^c${number}_${number}$`);
const ofAny = /^(?:\d{1,15}_[0-9a-f-]{36}|c\d{1,15}_\d{1,15})$/;

/** The end of a page of orders: `<milliseconds>_<id>` or `c<milliseconds>_<position>`. */
export const orderCursor = z.codec(cursorText(ofAny), z.custom<Cursor>(), {
  decode(text, context): Cursor {
    const [, time, id] = ofTime.exec(text) ?? [];
    if (id !== undefined) return { by: "time", created_at: Number(time), id };
    const [, changed, position] = ofChange.exec(text) ?? [];
    if (position !== undefined)
      return { by: "change", updated_at: Number(changed), position: Number(position) };
    context.issues.push({ code: "custom", message: notACursor, input: text });
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
});

/** The end of a page of given-up deliveries, encoded as `<epoch milliseconds>_<position>`. */
export const givenUpCursor = z.codec(
  cursorText(/^\d{1,15}_\d{1,15}$/),
  z.object({ endedAt: z.int(), position: z.int() }),
  {
    decode(text) {
      const [endedAt, position] = text.split("_").map(Number);
      return { endedAt: endedAt ?? 0, position: position ?? 0 };
    },
    encode: ({ endedAt, position }) => `${endedAt}_${position}`,
  },
);

/** The end of a page of payment issues, encoded as `<epoch milliseconds>_<id>`. */
export const issueCursor = z.codec(
  cursorText(/^\d{1,15}_[0-9a-f-]{36}$/),
  z.object({ openedAt: z.int(), id: z.string() }),
  {
    decode(text) {
      const [openedAt, id = ""] = text.split("_");
      return { openedAt: Number(openedAt), id };
    },
    encode: ({ openedAt, id }) => `${openedAt}_${id}`,
  },
);
