import { sql } from "kysely";
import type { CalendarDay } from "../scheduling/calendar-day.ts";

/**
 * In PostgreSQL, the number of the day that the time in a column is in: 1 for the first. The server
 * names the days, so that both databases have the same rules of time zones.
 */
export function dayNumber(column: string, days: readonly CalendarDay[]) {
  const starts = days.map(({ start }) => start);
  return sql<number>`width_bucket(${sql.ref(column)}, ${starts}::bigint[])`;
}

/** @throws if no day has this number */
export function dayOf(number: number, days: readonly CalendarDay[]): CalendarDay {
  const day = days[number - 1];
  if (day === undefined) throw new RangeError(`no day has the number ${number}`);
  return day;
}
