import { awaitsShipping, type Cents, isOrderStatus, isPaidStatus } from "@keepsats/domain";
import { type PeriodLength, periodLengths } from "@keepsats/protocol";
import { isRemote, type Queries } from "../../platform/database/database.ts";
import { type CalendarDay, daysBefore, lastDays } from "../../platform/scheduling/calendar-day.ts";
import { DAY } from "../../platform/scheduling/clock.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import {
  DAYS,
  type LocalClock,
  type OrderFigures,
  type PeriodFigures,
  type StatusCount,
} from "./figures.ts";
import { selectMoney } from "./received-money.ts";

/**
 * Orders and revenue of the period before, until the same time of the day, and the orders that were
 * to ship at its end.
 */
export type EarlierPeriods = ReadonlyMap<PeriodLength, EarlierPeriod>;

interface EarlierPeriod extends Sums {
  readonly toShip: number;
}

interface Sums {
  readonly orders: number;
  readonly revenue: Cents;
}

/** @param toShip the orders that were to ship when each period began */
export async function readEarlierPeriods(
  db: Queries,
  clock: LocalClock,
  toShip: ReadonlyMap<PeriodLength, number>,
): Promise<EarlierPeriods> {
  const yieldToEventLoop = createYield({ share: 1 });
  const [now, timeZone] = [clock.now(), clock.timeZone()];
  const days = lastDays(now, 2 * DAYS, timeZone);
  const earlier = new Map<PeriodLength, EarlierPeriod>();
  for (const length of periodLengths) {
    const time = { from: startOfLast(2 * length, days), to: daysBefore(now, length, timeZone) };
    const sums = await readSums(db, time, yieldToEventLoop);
    earlier.set(length, { ...sums, toShip: toShip.get(length) ?? 0 });
  }
  return earlier;
}

export function sumByPeriod(
  figures: OrderFigures["days"],
  earlier: EarlierPeriods,
): PeriodFigures[] {
  return periodLengths.map((length) => {
    const shown = figures.slice(-length);
    const before = earlier.get(length);
    return {
      days: length,
      orders: shown.reduce((sum, { placed }) => sum + placed, 0),
      ordersBefore: before?.orders ?? 0,
      revenue: shown.reduce((sum, { paidAmount }) => sum + paidAmount, 0),
      revenueBefore: before?.revenue ?? 0,
      toShipBefore: before?.toShip ?? 0,
    };
  });
}

/** The start of the last `count` days. */
function startOfLast(count: number, days: readonly CalendarDay[]): number {
  return days.at(-count)?.start ?? 0;
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
