import { orderStatuses } from "@keepsats/domain";
import { type LoanState, loanStates, type PeriodLength } from "@keepsats/protocol";
import { sql } from "kysely";
import { readByDay } from "../../platform/database/by-day.ts";
import { isRemote, type Queries } from "../../platform/database/database.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { type CalendarDay, lastDays } from "../../platform/scheduling/calendar-day.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { queryByTime, type StoredStatus } from "../orders/index.ts";
import {
  cacheKeyOf,
  type DayCount,
  FIGURE_DAYS,
  type Figures,
  type LocalClock,
  orderToPaymentOf,
  paymentBounds,
  sumBy,
  sumByDay,
  sumByStatus,
} from "./figures.ts";
import {
  type EarlierPeriods,
  readEarlierPeriods,
  readToShipBefore,
  selectMoney,
  sumByPeriod,
  sumToShip,
} from "./periods.ts";

/** How many orders one query counts: few enough that SQLite serves other requests in between. */
const ORDERS_PER_QUERY = 50_000;

/** How long figures are cached, in milliseconds. */
export const figureTimes = { keepFigures: 3_000 };
export type FigureTimes = typeof figureTimes;

/** Returns a function that reads the figures, cached. A failed read is not cached. */
export function createFigures(
  db: Queries,
  clock: LocalClock,
  { keepFigures }: FigureTimes,
): () => Promise<Figures> {
  const key = cacheKeyOf(clock);
  // A minute by default: within a day, only the end of the earlier periods moves.
  const keepEarlier = 20 * keepFigures;
  // An hour by default: within a day, these orders stay the same.
  const keepToShip = 1_200 * keepFigures;
  const toShip = cachedFor(keepToShip, () => readToShipBefore(db, clock), key);
  const earlier = cachedFor(keepEarlier, () => readEarlierPeriods(db, clock), key);
  return cachedFor(
    keepFigures,
    async () => readFigures(db, clock, await earlier(), await toShip()),
    key,
  );
}

/**
 * Counts orders and loans. On SQLite it yields to the event loop in between: an order whose status
 * changes during that time may be counted twice or not at all, in `days` and `orders_by_status`,
 * until the next count.
 */
async function readFigures(
  db: Queries,
  clock: LocalClock,
  earlier: EarlierPeriods,
  toShip: ReadonlyMap<PeriodLength, number>,
): Promise<Figures> {
  const days = lastDays(clock.now(), FIGURE_DAYS, clock.timeZone());
  const statuses = [...new Set([...orderStatuses, ...(await listStatuses(db))])];
  const before = days.at(0)?.start ?? 0;
  const older = await countOlder(db, statuses, before);
  const recent = await countByDay(db, statuses, days);
  const money = await readByDay(db, selectMoney(db), { column: "at", days });
  const figures = sumByDay(days, recent, money);
  const counts = sumByStatus([...older, ...recent]);
  return {
    to_ship: sumToShip(counts),
    periods: sumByPeriod(figures, earlier, toShip),
    orders_by_status: counts,
    days: figures,
    order_to_payment: orderToPaymentOf(recent),
    loans: await countLoans(db, days),
  };
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
async function countOlder(db: Queries, statuses: readonly StoredStatus[], before: number) {
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
    counted.push({ status, orders: await countBefore(db, status, before) });
  return counted;
}

/** Counts in parts of {@link ORDERS_PER_QUERY}. */
async function countBefore(db: Queries, status: StoredStatus, before: number): Promise<number> {
  const yieldToEventLoop = createYield({ share: 1 });
  const filter = { status, before, oldestFirst: true };
  let counted = 0;
  let cursor: { readonly created_at: number; readonly id: string } | undefined;
  for (;;) {
    const rest = queryByTime(db, filter, { cursor, limit: 1 });
    cursor = await rest
      .select(["created_at", "id"])
      .offset(ORDERS_PER_QUERY - 1)
      .executeTakeFirst();
    await yieldToEventLoop();
    if (cursor === undefined) {
      const { orders } = await rest
        .clearOrderBy()
        .clearLimit()
        .select((eb) => eb.fn.countAll<number>().as("orders"))
        .executeTakeFirstOrThrow();
      return counted + orders;
    }
    counted += ORDERS_PER_QUERY;
  }
}

/** Counts the orders placed on each day by status. */
async function countByDay(
  db: Queries,
  statuses: readonly StoredStatus[],
  days: readonly CalendarDay[],
): Promise<DayCount[]> {
  const counts = db
    .selectFrom("orders")
    .select((eb) => [
      "status",
      eb.fn.countAll<number>().as("orders"),
      eb.fn.count<number>("paid_at").as("paid"),
      ...paymentBounds.map((within) =>
        sql<number>`count(*) filter (where paid_at - created_at <= ${within})`.as(`w${within}`),
      ),
    ])
    .where(sql.ref<string>("status"), "in", statuses)
    .groupBy("status");
  const rows = await readByDay(db, counts, { column: "created_at", days });
  return rows.map(({ status, day, orders, paid, ...row }) => ({
    status,
    day,
    orders,
    paidWithin: [...paymentBounds.map((within) => Number(Reflect.get(row, `w${within}`))), paid],
  }));
}

/** Counts the loans that were bound on these days, by state. */
async function countLoans(db: Queries, days: readonly CalendarDay[]): Promise<Figures["loans"]> {
  const counts = db
    .selectFrom("loans")
    .select((eb) => ["state", eb.fn.countAll<number>().as("bound")])
    .where("state", "in", loanStates)
    .groupBy("state");
  const rows = await readByDay(db, counts, { column: "bound_at", days });
  const boundIn = (wanted: LoanState) =>
    sumBy(
      rows.filter(({ state }) => state === wanted),
      ({ bound }) => bound,
    );
  return {
    active: boundIn("active"),
    paid_out: boundIn("paid-out"),
    ended: boundIn("ended"),
    unknown: boundIn("unknown"),
  };
}
