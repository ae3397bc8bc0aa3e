import { fieldText, isOrderStatus, orderStatuses } from "@keepsats/domain";
import { isOrderId, MAX_ORDER_IDS } from "@keepsats/protocol";
import * as z from "zod/mini";
import { cursorText, notACursor } from "../../../platform/http/pagination.ts";
import { spanOf, timeParameter } from "../../../platform/http/time-parameter.ts";
import type { Cursor, OrderFilter } from "./order-filter.ts";
import { searchedText } from "./search-words.ts";

const MAX_TEXT = 200;

/** An id has 36 characters, and a comma before the next one. */
const MAX_IDS_TEXT = MAX_ORDER_IDS * 37 - 1;

const anyStatuses = new RegExp(
  `^(?:${orderStatuses.join("|")})(?:,(?:${orderStatuses.join("|")}))*$`,
);

const notIds = `must be at most ${MAX_ORDER_IDS} whole ids of orders, with commas between them`;

function areIds(text: string): boolean {
  const ids = text.toLowerCase().split(",");
  return ids.length <= MAX_ORDER_IDS && ids.every(isOrderId);
}

/** Decodes to cents. */
function amount(description: string) {
  return z.pipe(
    z
      .string()
      .check(
        z.regex(/^\d{1,10}(?:\.\d{1,2})?$/, "must be an amount such as 12.50"),
        z.meta({ description, examples: ["12.50"] }),
      ),
    z.transform((text: string) => Math.round(Number(text) * 100)),
  );
}

/** The filter of a list or an export. */
export const filterParameters = z.object({
  q: z.optional(
    z.pipe(
      z.string().check(
        z.overwrite(fieldText),
        z.minLength(1, "must not be empty"),
        z.maxLength(MAX_TEXT, `must have at most ${MAX_TEXT} characters`),
        z.meta({
          description:
            "Words, an order number such as K-10023 (with or without the prefix), or a prefix of an id (4 or more characters). An order matches if each word is the prefix of a word in its customer's name or email address, or in the name or id of one of its items. Case and accents are ignored",
          examples: ["lovelace moka"],
        }),
      ),
      z.transform(searchedText),
    ),
  ),
  status: z.optional(
    z.pipe(
      z.string().check(
        z.regex(
          anyStatuses,
          `must be statuses (${orderStatuses.join(", ")}) with commas between them`,
        ),
        z.meta({
          description: "Only orders with one of these statuses",
          examples: ["Pending,Shipped"],
        }),
      ),
      z.transform((text: string) => [...new Set(text.split(",").filter(isOrderStatus))]),
    ),
  ),
  ids: z.optional(
    z.pipe(
      z.string().check(
        z.maxLength(MAX_IDS_TEXT, { error: notIds, abort: true }),
        z.refine(areIds, notIds),
        z.meta({
          description: `Only orders with these ids: at most ${MAX_ORDER_IDS}, with commas between them`,
          examples: ["0e4b3a51-0000-4000-8000-000000000001"],
        }),
      ),
      z.transform((text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(","))),
    ),
  ),
  from: z.optional(
    timeParameter(
      "Only orders that were placed at this time or later; days are those of the shop's time zone",
    ),
  ),
  to: z.optional(
    timeParameter("Only orders that were placed at this time, on this day, or earlier"),
  ),
  min_total: z.optional(amount("Only orders with this total or a higher one")),
  max_total: z.optional(amount("Only orders with this total or a lower one")),
  sort: z.optional(
    z.enum(["newest", "oldest"]).check(
      z.meta({
        description:
          "Newest first by default. A list with `updated_since` has its own sorting and refuses `sort`",
      }),
    ),
  ),
  updated_since: z.optional(
    timeParameter(
      "Only orders that were placed or changed at this time or later, the least recently changed first. To poll, follow `next_cursor` to the end, then send the `updated_at` of the last order. Each change is listed at least once: the changes of the preceding minute are listed again, because the clocks of several servers may differ. After a server's clock was set back by more than a minute, send the time to which it was set once",
    ),
  ),
});

type FilterQuery = z.output<typeof filterParameters>;

const sortedOnce = z.refine<Pick<FilterQuery, "sort" | "updated_since">>(
  ({ sort, updated_since }) => sort === undefined || updated_since === undefined,
  { error: "is not for a list with updated_since", path: ["sort"] },
);

export const exportParameters = filterParameters.check(sortedOnce);

/** @param timeZone of the days */
export function filterOf(query: FilterQuery, timeZone: string): OrderFilter {
  const { from, to, updated_since } = query;
  return {
    text: query.q,
    statuses: query.status,
    ids: query.ids,
    from: from && spanOf(from, timeZone).start,
    before: to && spanOf(to, timeZone).end,
    minTotal: query.min_total,
    maxTotal: query.max_total,
    changedSince: updated_since && spanOf(updated_since, timeZone).start,
    oldestFirst: query.sort === "oldest",
  };
}

export const DEFAULT_LIMIT = 50;

const limit = z.pipe(
  z.string().check(
    z.regex(/^(?:[1-9]\d?|1\d\d|200)$/, "must be a number from 1 to 200"),
    z.meta({
      description: `The maximum number of orders, from 1 to 200; ${DEFAULT_LIMIT} by default`,
    }),
  ),
  z.transform(Number),
);

/**
 * `<milliseconds>_<id>`, or `c<milliseconds>_<position>` in a list of changes. A JavaScript number
 * holds 15 digits exactly.
 */
const cursorForm = /^(?:\d{1,15}_[0-9a-f-]{36}|c\d{1,15}_\d{1,15})$/;

export const orderCursor = z.codec(cursorText(cursorForm), z.custom<Cursor>(), {
  decode(text): Cursor {
    const [time = "", place = ""] = text.replace(/^c/, "").split("_");
    return text.startsWith("c")
      ? { by: "change", updated_at: Number(time), position: Number(place) }
      : { by: "time", created_at: Number(time), id: place };
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

interface Sorting extends Pick<FilterQuery, "updated_since"> {
  readonly cursor?: Cursor | undefined;
}

const cursorOfSorting = z.check<Sorting>((context) => {
  const { cursor, updated_since } = context.value;
  const by = updated_since === undefined ? "time" : "change";
  if (cursor === undefined || cursor.by === by) return;
  context.issues.push({ code: "custom", path: ["cursor"], message: notACursor, input: cursor });
});

const pageParameters = z.extend(filterParameters, {
  cursor: z.optional(orderCursor),
  limit: z.optional(limit),
});

export const listParameters = pageParameters.check(sortedOnce, cursorOfSorting);
export type ListQuery = z.output<typeof listParameters>;

/** Without the conditions on totals, by which a total could be found. */
export const packingParameters = z
  .omit(pageParameters, { min_total: true, max_total: true })
  .check(sortedOnce, cursorOfSorting);
