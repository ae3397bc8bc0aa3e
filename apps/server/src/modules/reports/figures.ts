import type { PeriodFigures, Today } from "@keepsats/protocol";
import { type CurrentTimeZone, dayAt } from "../../platform/scheduling/calendar-day.ts";
import type { Clock } from "../../platform/scheduling/clock.ts";

/** The number of days in the figures, including today. */
export const FIGURE_DAYS = 30;

/** The figures of orders and loans. */
export interface Figures
  extends Pick<Today, "to_ship" | "orders_by_status" | "days" | "order_to_payment" | "loans"> {
  readonly periods: PeriodFigures[];
}

/** The current time, and the time zone of the days. */
export interface LocalClock {
  readonly now: Clock;
  readonly timeZone: CurrentTimeZone;
}

/** Figures that were cached before midnight, or in another time zone, are of other days. */
export function cacheKeyOf({ now, timeZone }: LocalClock): () => string {
  return () => `${dayAt(now(), timeZone()).name} ${timeZone()}`;
}

/** PostgreSQL returns some sums as texts; a sum of no rows is `null`. */
export function sumBy<Row>(
  rows: readonly Row[],
  numberOf: (row: Row) => number | string | null,
): number {
  return rows.reduce((sum, row) => sum + Number(numberOf(row)), 0);
}
