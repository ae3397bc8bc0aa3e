import type { FastifyReply } from "fastify";
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { readInBatches } from "../../../platform/database/read-in-batches.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { spanOf, timeParameter } from "../../../platform/http/time-parameter.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";

/** In epoch milliseconds. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

export const wholeJournal: Period = {
  from: Number.MIN_SAFE_INTEGER,
  before: Number.MAX_SAFE_INTEGER,
};

/** Few enough that other requests hardly wait. */
const MAX_ENTRIES_PER_BATCH = 100;

export type EntryRow = Selectable<Tables["journal"]>;

/** The entries of a period. */
export function entriesIn(db: Queries, { from, before }: Period) {
  return db.selectFrom("journal").where("at", ">=", from).where("at", "<", before);
}

/**
 * Reads the entries of a period in batches, by time. It leaves out entries that are recorded after
 * it began, so that it does not have only a part of them.
 */
export async function* batchesIn(db: Queries, period: Period): AsyncGenerator<EntryRow[]> {
  const { newest } = await db
    .selectFrom("journal")
    .select((eb) => eb.fn.max<number | null>("position").as("newest"))
    .executeTakeFirstOrThrow();
  yield* readInBatches<EntryRow>(MAX_ENTRIES_PER_BATCH, (last) => {
    // The index is by time alone, so a batch begins at the time of the last entry.
    const query = entriesIn(db, { from: last?.at ?? period.from, before: period.before })
      .selectAll()
      .where("position", "<=", newest ?? 0)
      .orderBy("at")
      .orderBy("position")
      .limit(MAX_ENTRIES_PER_BATCH);
    if (last === undefined) return query.execute();
    const { at, position } = last;
    return query
      .where(({ eb, or }) => or([eb("at", ">", at), eb("position", ">", position)]))
      .execute();
  });
}

export const boundedPeriodParameters = z.object({
  from: timeParameter("The first day of the shop's time zone, or a time"),
  to: timeParameter("The last day, or the last second"),
});

/** A period that may have no beginning or no end. */
export const periodParameters = z.partial(boundedPeriodParameters);

type PeriodQuery = z.output<typeof periodParameters>;

/** Returns a handler of requests with a period. It refuses one that ends before it begins. */
export function withPeriod<Query extends PeriodQuery, Answer>(
  timeZone: CurrentTimeZone,
  handle: (period: Period, reply: FastifyReply, query: Query) => Promise<Answer>,
) {
  return async (
    { query }: { readonly query: Query },
    reply: FastifyReply,
  ): Promise<Answer | Refusal> => {
    const { from: first, to: last } = query;
    const from = first === undefined ? wholeJournal.from : spanOf(first, timeZone()).start;
    const before = last === undefined ? wholeJournal.before : spanOf(last, timeZone()).end;
    if (before <= from) {
      const message = "must not be before `from`";
      return new Refusal("invalid", { errors: [{ path: "to", message }] });
    }
    return handle({ from, before }, reply, query);
  };
}
