import { awaitsShipping, type Cents, isOrderStatus, isPaidStatus } from "@keepsats/domain";
import { type PeriodLength, periodLengths } from "@keepsats/protocol";
import type { Queries } from "../../platform/database/database.ts";
import { isRemote } from "../../platform/database/remote.ts";
import { DAY } from "../../platform/scheduling/clock.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import {
  type DayCount,
  lastDays,
  type OrderFigures,
  type PeriodFigures,
  type StatusCount,
} from "./figures.ts";
import { selectMoney } from "./received-money.ts";

/** Orders and revenue of the period before, until the same time of the day. */
export type EarlierPeriods = ReadonlyMap<PeriodLength, Sums>;

interface Sums {
  readonly orders: number;
  readonly revenue: Cents;
}

export async function readEarlierPeriods(db: Queries, now: number): Promise<EarlierPeriods> {
  const yieldToEventLoop = createYield({ share: 1 });
  const starts = lastDays(now);
  const earlier = new Map<PeriodLength, Sums>();
  for (const length of periodLengths) {
    const time = { from: periodStart(starts, length) - length * DAY, to: now - length * DAY };
    earlier.set(length, await readSums(db, time, yieldToEventLoop));
  }
  return earlier;
}

interface Counts {
  readonly days: OrderFigures["days"];
  /** The orders placed before the days. */
  readonly older: readonly StatusCount[];
  readonly recent: readonly DayCount[];
  /** The starts of the days, oldest first. */
  readonly starts: readonly number[];
}

export function sumByPeriod(
  { days, older, recent, starts }: Counts,
  earlier: EarlierPeriods,
): PeriodFigures[] {
  return periodLengths.map((length) => {
    const shown = days.slice(-length);
    const start = periodStart(starts, length);
    const before = earlier.get(length);
    const waiting = [...older, ...recent.filter((count) => count.start < start)];
    return {
      days: length,
      orders: shown.reduce((sum, { placed }) => sum + placed, 0),
      ordersBefore: before?.orders ?? 0,
      revenue: shown.reduce((sum, { paidAmount }) => sum + paidAmount, 0),
      revenueBefore: before?.revenue ?? 0,
      toShipBefore: waiting.filter(isToShip).reduce((sum, { orders }) => sum + orders, 0),
    };
  });
}

/** @param starts of the last days, oldest first */
export function periodStart(starts: readonly number[], length: PeriodLength): number {
  return starts.at(-length) ?? 0;
}

export function isToShip({ status }: StatusCount): boolean {
  return isOrderStatus(status) && isPaidStatus(status) && awaitsShipping(status);
}

interface Time {
  readonly from: number;
  readonly to: number;
}

/** Counts orders and sums money, on SQLite day by day. */
async function readSums(
  db: Queries,
  { from, to }: Time,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Sums> {
  const step = isRemote(db) ? to - from : DAY;
  const sums = { orders: 0, revenue: 0 };
  for (let start = from; start < to; start += step) {
    const end = Math.min(start + step, to);
    const { orders } = await db
      .selectFrom("orders")
      .select(({ fn }) => fn.countAll<number>().as("orders"))
      .where("created_at", ">=", start)
      .where("created_at", "<", end)
      .executeTakeFirstOrThrow();
    const { amount } = await selectMoney(db)
      .where("at", ">=", start)
      .where("at", "<", end)
      .executeTakeFirstOrThrow();
    sums.orders += orders;
    sums.revenue += Number(amount ?? 0);
    await yieldToEventLoop();
  }
  return sums;
}
