import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { spanOf, timeParameter } from "../../../platform/http/time-parameter.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { type Period, wholeJournal } from "./journal-period.ts";

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
