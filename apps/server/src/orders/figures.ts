import { type Cents, isPaidStatus, orderStatuses } from "@keepsats/domain";
import type { StoredStatus } from "./order.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** How many days the figures go back, today included. */
const DAYS = 30;

/** The upper bounds of the times from order to payment, in milliseconds, ascending. */
export const waits = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY] as const;

/** The orders of one day, those of them that are paid, and the money of that day. */
interface DayFigures {
  /** In UTC, such as `2026-11-23`. */
  readonly day: string;
  readonly placed: number;
  readonly paid: number;
  /** What was received on this day, less what was refunded on this day. */
  readonly paidAmount: Cents;
}

/** The figures of orders and loans. Apart from {@link byStatus} they are those of 30 days. */
export interface OrderFigures {
  /** All orders by status: all statuses that this version knows, then further ones. */
  readonly byStatus: readonly { readonly status: StoredStatus; readonly orders: number }[];
  /** Oldest first. */
  readonly days: readonly DayFigures[];
  /**
   * How many orders were paid within so many milliseconds after they were placed, and not within
   * the time before; `undefined`: later than all others.
   */
  readonly waits: readonly { readonly within: number | undefined; readonly orders: number }[];
  /** The number of loans that were bound to orders, by state. */
  readonly loans: ReadonlyMap<string, number>;
}

/** Counted orders of one status. */
interface StatusCount {
  readonly status: StoredStatus;
  readonly orders: number;
}

/** Counted orders of one status that were placed on one day. */
export interface DayCount extends StatusCount {
  /** When the day began, in epoch milliseconds. */
  readonly start: number;
  /** How many were paid within each of {@link waits}, and how many at all. */
  readonly paidWithin: readonly number[];
}

/** What was received on one day, less what was refunded on it. */
export interface DayMoney {
  /** When the day began, in epoch milliseconds. */
  readonly start: number;
  readonly amount: Cents;
}

/** The beginnings of the days of the figures, oldest first. */
export function lastDays(now: number): number[] {
  const last = Math.floor(now / DAY) * DAY;
  return Array.from({ length: DAYS }, (_, n) => last - (DAYS - 1 - n) * DAY);
}

/** Adds up counts by status; each status that this version knows has an entry. */
export function sumByStatus(counts: readonly StatusCount[]): StatusCount[] {
  const sums = new Map<StoredStatus, number>(orderStatuses.map((status) => [status, 0]));
  for (const { status, orders } of counts) sums.set(status, (sums.get(status) ?? 0) + orders);
  return [...sums].map(([status, orders]) => ({ status, orders }));
}

/** Adds up counts and money by day. */
export function sumByDay(
  starts: readonly number[],
  counts: readonly DayCount[],
  money: readonly DayMoney[],
): DayFigures[] {
  const days = new Map(starts.map((start) => [start, { placed: 0, paid: 0, paidAmount: 0 }]));
  for (const { status, start, orders } of counts) {
    const day = days.get(start);
    if (day === undefined) continue;
    day.placed += orders;
    if (isPaidStatus(status)) day.paid += orders;
  }
  for (const { start, amount } of money) {
    const day = days.get(start);
    if (day !== undefined) day.paidAmount += amount;
  }
  return [...days].map(([start, day]) => ({
    day: new Date(start).toISOString().slice(0, 10),
    ...day,
  }));
}

/** Adds up how many orders were paid within each time, and not within the one before. */
export function sumByWait(counts: readonly DayCount[]): OrderFigures["waits"] {
  return [...waits, undefined].map((within, index) => ({
    within,
    orders: counts.reduce(
      (sum, { paidWithin }) => sum + (paidWithin[index] ?? 0) - (paidWithin[index - 1] ?? 0),
      0,
    ),
  }));
}
