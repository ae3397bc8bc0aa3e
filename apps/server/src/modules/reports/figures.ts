import { isPaidStatus, orderStatuses } from "@keepsats/domain";
import type { PeriodFigures, Today } from "@keepsats/protocol";
import {
  type CalendarDay,
  type CurrentTimeZone,
  dayAt,
} from "../../platform/scheduling/calendar-day.ts";
import { type Clock, DAY, HOUR, MINUTE } from "../../platform/scheduling/clock.ts";
import type { StoredStatus } from "../orders/index.ts";

/** The number of days in the figures, including today. */
export const FIGURE_DAYS = 30;

/** The upper bounds of the buckets of `order_to_payment`, in milliseconds, ascending. */
export const paymentBounds = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  6 * HOUR,
  DAY,
  7 * DAY,
] as const;

/** The figures of orders and loans. */
export interface Figures
  extends Pick<Today, "to_ship" | "orders_by_status" | "days" | "order_to_payment" | "loans"> {
  readonly periods: PeriodFigures[];
}

export interface StatusCount {
  readonly status: StoredStatus;
  readonly orders: number;
}

/** The orders of one status that were placed on one day. */
export interface DayCount extends StatusCount {
  readonly day: CalendarDay;
  /** How many were paid within each of {@link paymentBounds}, and how many in total. */
  readonly paidWithin: readonly number[];
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

/** Each status that this version knows has an entry, even without orders. */
export function sumByStatus(counts: readonly StatusCount[]): Figures["orders_by_status"] {
  const sums = new Map<StoredStatus, number>(orderStatuses.map((status) => [status, 0]));
  for (const { status, orders } of counts) sums.set(status, (sums.get(status) ?? 0) + orders);
  return [...sums].map(([status, orders]) => ({ status, orders }));
}

/**
 * @param shown all days, oldest first
 * @param money the money received less the money refunded
 */
export function sumByDay(
  shown: readonly CalendarDay[],
  counts: readonly DayCount[],
  money: readonly { readonly day: CalendarDay; readonly amount: number | string | null }[],
): Figures["days"] {
  return shown.map(({ name }) => {
    const placed = counts.filter(({ day }) => day.name === name);
    const amounts = money.filter(({ day }) => day.name === name);
    return {
      day: name,
      placed: sumBy(placed, ({ orders }) => orders),
      paid: sumBy(
        placed.filter(({ status }) => isPaidStatus(status)),
        ({ orders }) => orders,
      ),
      paid_amount: sumBy(amounts, ({ amount }) => amount),
    };
  });
}

export function orderToPaymentOf(counts: readonly DayCount[]): Figures["order_to_payment"] {
  return [...paymentBounds, null].map((within, index) => ({
    within,
    orders: sumBy(
      counts,
      ({ paidWithin }) => (paidWithin[index] ?? 0) - (paidWithin[index - 1] ?? 0),
    ),
  }));
}
