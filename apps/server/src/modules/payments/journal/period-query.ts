import * as z from "zod/mini";
import { timeParameter } from "../../../platform/http/time-parameter.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import type { Period } from "./journal-period.ts";

/** A period, as query parameters. */
export const periodFields = (timeZone: CurrentTimeZone) => ({
  from: timeParameter(timeZone, "The first day of the shop's time zone, or a time"),
  to: timeParameter(timeZone, "The last day, or the last second", { end: true }),
});

interface PeriodQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Refuses a period that ends before it begins. */
export const isOrdered = z.check<PeriodQuery>((context) => {
  const { from, to } = context.value;
  if (from === undefined || to === undefined || from < to) return;
  const message = "must not be before `from`";
  context.issues.push({ code: "custom", path: ["to"], message, input: to });
});

export const openPeriod = (timeZone: CurrentTimeZone) =>
  z.partial(z.object(periodFields(timeZone)));

/** A period that may have no beginning or no end. */
export const periodQuery = (timeZone: CurrentTimeZone) => openPeriod(timeZone).check(isOrdered);

export function periodOf({ from, to: before }: PeriodQuery): Period {
  return { from, before };
}
