import { orderStatuses } from "@keepsats/domain";
import { loanStates } from "@keepsats/protocol";
import { sql } from "kysely";
import { isRemote, type Queries } from "../../platform/database/database.ts";
import { dayNumber, dayOf } from "../../platform/database/day-number.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { type CalendarDay, lastDays } from "../../platform/scheduling/calendar-day.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import type { StoredStatus } from "../orders/index.ts";
import {
  cacheKeyOf,
  DAYS,
  type DayCount,
  type DayMoney,
  type LocalClock,
  type OrderFigures,
  sumByDay,
  sumByStatus,
  sumByWait,
  waits,
} from "./figures.ts";
import { readToShipBefore } from "./orders-to-ship.ts";
import { type EarlierPeriods, readEarlierPeriods, sumByPeriod } from "./periods.ts";
import { selectMoney } from "./received-money.ts";

/** How many orders one query counts: few enough that SQLite serves other requests in between. */
const ORDERS_PER_QUERY = 50_000;

/** In milliseconds. */
export interface FigureTimes {
  /** How long figures are cached. */
  readonly keepFigures: number;
}

export const figureTimes: FigureTimes = { keepFigures: 3_000 };

/** Returns a function that reads the figures, cached. A failed read is not cached. */
export function createFigures(
  db: Queries,
  clock: LocalClock,
  { keepFigures }: FigureTimes,
): () => Promise<OrderFigures> {
  const key = cacheKeyOf(clock);
  // A minute by default: within a day, only the end of the earlier periods moves.
  const keepEarlier = 20 * keepFigures;
  // An hour by default: within a day, these orders stay the same.
  const keepToShip = 1_200 * keepFigures;
  const toShip = cachedFor(keepToShip, () => readToShipBefore(db, clock), key);
  const earlier = cachedFor(
    keepEarlier,
    async () => readEarlierPeriods(db, clock, await toShip()),
    key,
  );
  return cachedFor(keepFigures, async () => readFigures(db, clock, await earlier()), key);
}

/** Reads the figures without a cache. */
export async function readUncachedFigures(db: Queries, clock: LocalClock): Promise<OrderFigures> {
  const toShip = await readToShipBefore(db, clock);
  return readFigures(db, clock, await readEarlierPeriods(db, clock, toShip));
}

/**
 * Counts orders and loans. PostgreSQL counts each kind in one query. SQLite blocks this thread, so
 * it counts by status and day, and yields to the event loop in between. An order whose status
 * changes during that time may be counted twice or not at all, in `days` and `byStatus`, until the
 * next count.
 */
async function readFigures(
  db: Queries,
  clock: LocalClock,
  earlier: EarlierPeriods,
): Promise<OrderFigures> {
  const yieldToEventLoop = createYield({ share: 1 });
  const days = lastDays(clock.now(), DAYS, clock.timeZone());
  const statuses = [...new Set([...orderStatuses, ...(await listStatuses(db))])];
  const older = await countOlder(db, statuses, { before: bounds(days).from, yieldToEventLoop });
  const recent = await countDays(db, statuses, { days, yieldToEventLoop });
  const figures = sumByDay(days, recent, await sumMoney(db, days, yieldToEventLoop));
  return {
    byStatus: sumByStatus([...older, ...recent]),
    days: figures,
    waits: sumByWait(recent),
    loans: await countLoans(db, days, yieldToEventLoop),
    periods: sumByPeriod(figures, earlier),
  };
}

/** @param days oldest first, at least one */
function bounds(days: readonly CalendarDay[]): { readonly from: number; readonly before: number } {
  return { from: days.at(0)?.start ?? 0, before: days.at(-1)?.end ?? 0 };
}

/** Returns the statuses that orders have, with one index lookup each. */
async function listStatuses(db: Queries): Promise<StoredStatus[]> {
  const statuses: StoredStatus[] = [];
  for (;;) {
    const next = await db
      .selectFrom("orders")
      .select("status")
      .where("status", ">", statuses.at(-1) ?? "")
      .orderBy("status")
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return statuses;
    statuses.push(next.status);
  }
}

/** Counts by status the orders placed before a time. */
async function countOlder(
  db: Queries,
  statuses: readonly StoredStatus[],
  {
    before,
    yieldToEventLoop,
  }: { readonly before: number; readonly yieldToEventLoop: YieldToEventLoop },
) {
  if (isRemote(db))
    return (
      db
        .selectFrom("orders")
        .select((eb) => ["status", eb.fn.countAll<number>().as("orders")])
        // With a list of statuses, PostgreSQL reads only the index.
        .where(sql.ref<string>("status"), "in", statuses)
        .where("created_at", "<", before)
        .groupBy("status")
        .execute()
    );
  const counted: { status: StoredStatus; orders: number }[] = [];
  for (const status of statuses)
    counted.push({ status, orders: await countBefore(db, { status, before }, yieldToEventLoop) });
  return counted;
}

/** Counts in parts of {@link ORDERS_PER_QUERY}. */
async function countBefore(
  db: Queries,
  { status, before }: { readonly status: StoredStatus; readonly before: number },
  yieldToEventLoop: YieldToEventLoop,
): Promise<number> {
  let counted = 0;
  let after = { created_at: -1, id: "" };
  for (;;) {
    const { created_at, id } = after;
    const rest = db
      .selectFrom("orders")
      .where(sql.ref("status"), "=", status)
      .where("created_at", "<", before)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("created_at", "id"), ">", tuple(created_at, id)),
      );
    const next = await rest
      .select(["created_at", "id"])
      .orderBy("created_at")
      .orderBy("id")
      .offset(ORDERS_PER_QUERY - 1)
      .limit(1)
      .executeTakeFirst();
    await yieldToEventLoop();
    if (next === undefined) {
      const { orders } = await rest
        .select((eb) => eb.fn.countAll<number>().as("orders"))
        .executeTakeFirstOrThrow();
      return counted + orders;
    }
    counted += ORDERS_PER_QUERY;
    after = next;
  }
}

/** Counts by status and day. */
async function countDays(
  db: Queries,
  statuses: readonly StoredStatus[],
  {
    days,
    yieldToEventLoop,
  }: { readonly days: readonly CalendarDay[]; readonly yieldToEventLoop: YieldToEventLoop },
): Promise<DayCount[]> {
  const counts = db
    .selectFrom("orders")
    .select((eb) => [
      eb.fn.countAll<number>().as("orders"),
      eb.fn.count<number>("paid_at").as("paid"),
      ...waits.map((within) =>
        sql<number>`count(*) filter (where paid_at - created_at <= ${within})`.as(`w${within}`),
      ),
    ]);
  type Row = Awaited<ReturnType<typeof counts.executeTakeFirstOrThrow>>;
  const read = (status: StoredStatus, day: CalendarDay, row: Row): DayCount => ({
    status,
    day,
    orders: row.orders,
    paidWithin: [...waits.map((within) => Number(Reflect.get(row, `w${within}`))), row.paid],
  });
  if (isRemote(db)) {
    const { from, before } = bounds(days);
    const rows = await counts
      .select(["status", dayNumber("created_at", days).as("day")])
      .where(sql.ref<string>("status"), "in", statuses)
      .where("created_at", ">=", from)
      .where("created_at", "<", before)
      .groupBy(["status", "day"])
      .execute();
    return rows.map((row) => read(row.status, dayOf(row.day, days), row));
  }
  const counted: DayCount[] = [];
  for (const status of statuses)
    for (const day of days) {
      const row = await counts
        .where(sql.ref("status"), "=", status)
        .where("created_at", ">=", day.start)
        .where("created_at", "<", day.end)
        .executeTakeFirstOrThrow();
      counted.push(read(status, day, row));
      await yieldToEventLoop();
    }
  return counted;
}

/** Sums the money received less the money refunded on each day, in the shop's currency. */
async function sumMoney(
  db: Queries,
  days: readonly CalendarDay[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<DayMoney[]> {
  const sums = selectMoney(db);
  if (isRemote(db)) {
    const { from, before } = bounds(days);
    const rows = await sums
      .select(dayNumber("at", days).as("day"))
      .where("at", ">=", from)
      .where("at", "<", before)
      .groupBy("day")
      .execute();
    return rows.map(({ day, amount }) => ({ day: dayOf(day, days), amount: Number(amount) }));
  }
  const summed: DayMoney[] = [];
  for (const day of days) {
    const { amount } = await sums
      .where("at", ">=", day.start)
      .where("at", "<", day.end)
      .executeTakeFirstOrThrow();
    summed.push({ day, amount: Number(amount ?? 0) });
    await yieldToEventLoop();
  }
  return summed;
}

/** Counts the loans bound since the first day, by state. */
async function countLoans(
  db: Queries,
  days: readonly CalendarDay[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<Map<string, number>> {
  const loans = new Map<string, number>();
  const spans = days.map(({ start: from, end: before }) => ({ from, before }));
  for (const state of loanStates)
    for (const { from, before } of isRemote(db) ? [bounds(days)] : spans) {
      const { bound } = await db
        .selectFrom("loans")
        .select((eb) => eb.fn.countAll<number>().as("bound"))
        .where("state", "=", state)
        .where("bound_at", ">=", from)
        .where("bound_at", "<", before)
        .executeTakeFirstOrThrow();
      if (bound > 0) loans.set(state, (loans.get(state) ?? 0) + bound);
      await yieldToEventLoop();
    }
  return loans;
}
