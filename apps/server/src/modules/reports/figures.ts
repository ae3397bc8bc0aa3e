import { type Cents, isPaidStatus, orderStatuses } from "@keepsats/domain";
import type { PeriodLength } from "@keepsats/protocol";
import {
  type CalendarDay,
  type CurrentTimeZone,
  dayAt,
} from "../../platform/scheduling/calendar-day.ts";
import { type Clock, DAY, HOUR, MINUTE } from "../../platform/scheduling/clock.ts";
import type { StoredStatus } from "../orders/index.ts";

/** The number of days in the figures, including today. */
export const DAYS = 30;

/** The upper bounds of the times from order to payment, in milliseconds, ascending. */
export const waits = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY] as const;

interface DayFigures {
  /** Such as `2026-11-23`. */
  readonly day: string;
  readonly placed: number;
  /** How many of the orders placed on this day are paid. */
  readonly paid: number;
  /** The money received less the money refunded on this day. */
  readonly paidAmount: Cents;
}

/** The figures of a period, and of the period before until the same time of the day. */
export interface PeriodFigures {
  /** The length, including today. */
  readonly days: PeriodLength;
  readonly orders: number;
  readonly ordersBefore: number;
  /** The money received less the money refunded. */
  readonly revenue: Cents;
  readonly revenueBefore: Cents;
  /** The orders that were to ship when the period began. */
  readonly toShipBefore: number;
}

/** All figures except `byStatus` cover 30 days. */
export interface OrderFigures {
  /** All orders, by each status that this version knows, then by unknown ones. */
  readonly byStatus: readonly { readonly status: StoredStatus; readonly orders: number }[];
  /** Oldest first. */
  readonly days: readonly DayFigures[];
  /**
   * The number of orders by the time from order to payment: more than the previous `within`, and at
   * most this one, in milliseconds. `undefined` is the longest time.
   */
  readonly waits: readonly { readonly within: number | undefined; readonly orders: number }[];
  /** The number of loans bound to orders, by state. */
  readonly loans: ReadonlyMap<string, number>;
  /** Today, 7 days and 30 days. */
  readonly periods: readonly PeriodFigures[];
}

export interface StatusCount {
  readonly status: StoredStatus;
  readonly orders: number;
}

/** The orders of one status that were placed on one day. */
export interface DayCount extends StatusCount {
  readonly day: CalendarDay;
  /** How many were paid within each of {@link waits}, and how many in total. */
  readonly paidWithin: readonly number[];
}

/** The money received less the money refunded on one day. */
export interface DayMoney {
  readonly day: CalendarDay;
  readonly amount: Cents;
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

/** Each status that this version knows has an entry. */
export function sumByStatus(counts: readonly StatusCount[]): StatusCount[] {
  const sums = new Map<StoredStatus, number>(orderStatuses.map((status) => [status, 0]));
  for (const { status, orders } of counts) sums.set(status, (sums.get(status) ?? 0) + orders);
  return [...sums].map(([status, orders]) => ({ status, orders }));
}

export function sumByDay(
  shown: readonly CalendarDay[],
  counts: readonly DayCount[],
  money: readonly DayMoney[],
): DayFigures[] {
  const sums = new Map(shown.map(({ name }) => [name, { placed: 0, paid: 0, paidAmount: 0 }]));
  for (const { status, day, orders } of counts) {
    const sum = sums.get(day.name);
    if (sum === undefined) continue;
    sum.placed += orders;
    if (isPaidStatus(status)) sum.paid += orders;
  }
  for (const { day, amount } of money) {
    const sum = sums.get(day.name);
    if (sum !== undefined) sum.paidAmount += amount;
  }
  return [...sums].map(([day, sum]) => ({ day, ...sum }));
}

export function sumByWait(counts: readonly DayCount[]): OrderFigures["waits"] {
  return [...waits, undefined].map((within, index) => ({
    within,
    orders: counts.reduce(
      (sum, { paidWithin }) => sum + (paidWithin[index] ?? 0) - (paidWithin[index - 1] ?? 0),
      0,
    ),
  }));
}
