import { orderStatuses } from "@keepsats/domain";
import { loanStates } from "@keepsats/protocol";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { isRemote } from "../../platform/database/remote.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { type Clock, DAY } from "../../platform/scheduling/clock.ts";
import {
  createYield,
  type YieldToEventLoop,
} from "../../platform/scheduling/yield-to-event-loop.ts";
import type { StoredStatus } from "../orders/index.ts";
import {
  type DayCount,
  type DayMoney,
  lastDays,
  type OrderFigures,
  sumByDay,
  sumByStatus,
  sumByWait,
  waits,
} from "./figures.ts";
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
/** How many times longer the earlier periods are cached than the other figures. */
const EARLIER = 20;

/** Returns a function that reads the figures, cached. A failed read is not cached. */
export function createFigures(
  db: Queries,
  now: Clock,
  { keepFigures }: FigureTimes,
): () => Promise<OrderFigures> {
  // The past does not change: only the end of the earlier periods moves.
  const earlier = cachedFor(EARLIER * keepFigures, () => readEarlierPeriods(db, now()));
  return cachedFor(keepFigures, () => readFigures(db, now(), earlier));
}

/**
 * Counts orders and loans. PostgreSQL counts each kind in one query. SQLite blocks this thread, so
 * it counts by status and day, and yields to the event loop in between. An order whose status
 * changes during that time may be counted twice or not at all, in `days` and `byStatus`, until the
 * next count.
 *
 * @param now a time of the last day, in epoch milliseconds
 */
export async function readFigures(
  db: Queries,
  now: number,
  earlier: () => Promise<EarlierPeriods> = () => readEarlierPeriods(db, now),
): Promise<OrderFigures> {
  const yieldToEventLoop = createYield({ share: 1 });
  const starts = lastDays(now);
  const first = starts[0] ?? now;
  const statuses = [...new Set([...orderStatuses, ...(await statusesOf(db))])];
  const older = await countOlder(db, statuses, { before: first, yieldToEventLoop });
  const recent = await countDays(db, statuses, { starts, yieldToEventLoop });
  const money = await sumMoney(db, starts, yieldToEventLoop);
  const days = sumByDay(starts, recent, money);
  return {
    byStatus: sumByStatus([...older, ...recent]),
    days,
    waits: sumByWait(recent),
    loans: await countLoans(db, starts, yieldToEventLoop),
    periods: sumByPeriod({ days, older, recent, starts }, await earlier()),
  };
}

/** Returns the statuses that orders have, with one index lookup each. */
async function statusesOf(db: Queries): Promise<StoredStatus[]> {
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
    starts,
    yieldToEventLoop,
  }: { readonly starts: readonly number[]; readonly yieldToEventLoop: YieldToEventLoop },
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
  const read = (status: StoredStatus, start: number, row: Row): DayCount => ({
    status,
    start,
    orders: row.orders,
    paidWithin: [...waits.map((within) => Number(Reflect.get(row, `w${within}`))), row.paid],
  });
  if (isRemote(db)) {
    const rows = await counts
      .select(["status", sql<number>`created_at / ${sql.lit(DAY)}`.as("day")])
      .where(sql.ref<string>("status"), "in", statuses)
      .where("created_at", ">=", starts[0] ?? 0)
      .where("created_at", "<", (starts.at(-1) ?? 0) + DAY)
      .groupBy(["status", "day"])
      .execute();
    return rows.map((row) => read(row.status, row.day * DAY, row));
  }
  const counted: DayCount[] = [];
  for (const status of statuses)
    for (const start of starts) {
      const row = await counts
        .where(sql.ref("status"), "=", status)
        .where("created_at", ">=", start)
        .where("created_at", "<", start + DAY)
        .executeTakeFirstOrThrow();
      counted.push(read(status, start, row));
      await yieldToEventLoop();
    }
  return counted;
}

/** Sums the money received less the money refunded on each day, in the shop's currency. */
async function sumMoney(
  db: Queries,
  starts: readonly number[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<DayMoney[]> {
  const sums = selectMoney(db);
  if (isRemote(db)) {
    const rows = await sums
      .select(sql<number>`at / ${sql.lit(DAY)}`.as("day"))
      .where("at", ">=", starts[0] ?? 0)
      .where("at", "<", (starts.at(-1) ?? 0) + DAY)
      .groupBy("day")
      .execute();
    return rows.map(({ day, amount }) => ({ start: day * DAY, amount: Number(amount) }));
  }
  const summed: DayMoney[] = [];
  for (const start of starts) {
    const { amount } = await sums
      .where("at", ">=", start)
      .where("at", "<", start + DAY)
      .executeTakeFirstOrThrow();
    summed.push({ start, amount: Number(amount ?? 0) });
    await yieldToEventLoop();
  }
  return summed;
}

/** Counts the loans bound since the first day, by state. */
async function countLoans(
  db: Queries,
  starts: readonly number[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<Map<string, number>> {
  const loans = new Map<string, number>();
  const bounds = isRemote(db) ? starts.slice(0, 1) : starts;
  for (const state of loanStates)
    for (const [index, start] of bounds.entries()) {
      const { bound } = await db
        .selectFrom("loans")
        .select((eb) => eb.fn.countAll<number>().as("bound"))
        .where("state", "=", state)
        .where("bound_at", ">=", start)
        .where("bound_at", "<", bounds[index + 1] ?? (starts.at(-1) ?? 0) + DAY)
        .executeTakeFirstOrThrow();
      if (bound > 0) loans.set(state, (loans.get(state) ?? 0) + bound);
      await yieldToEventLoop();
    }
  return loans;
}
