import { isPaidStatus, orderStatuses } from "@keepsats/domain";
import { type LoanState, loanStates, type PeriodLength } from "@keepsats/protocol";
import { sql } from "kysely";
import { readByDay } from "../../platform/database/by-day.ts";
import type { Queries } from "../../platform/database/database.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { type CalendarDay, lastDays, type Span } from "../../platform/scheduling/calendar-day.ts";
import { DAY, HOUR, MINUTE } from "../../platform/scheduling/clock.ts";
import type { StoredStatus } from "../orders/index.ts";
import { cacheKeyOf, FIGURE_DAYS, type Figures, type LocalClock, sumBy } from "./figures.ts";
import {
  daysOfPeriods,
  periodsAt,
  readMoney,
  readToShipBefore,
  splitSpan,
  sumByPeriod,
  toShip,
} from "./periods.ts";

/** How long figures are cached, in milliseconds. */
export const figureTimes = { keepFigures: 3_000 };
export type FigureTimes = typeof figureTimes;

/** The upper bounds of the buckets of `order_to_payment`, in milliseconds, ascending. */
const paymentBounds = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY];

/** Returns a function that reads the figures, cached. A failed read is not cached. */
export function createFigures(
  db: Queries,
  clock: LocalClock,
  { keepFigures }: FigureTimes,
): () => Promise<Figures> {
  const key = cacheKeyOf(clock);
  // Within a day, these orders stay the same.
  const toShipBefore = cachedFor(HOUR, () => readToShipBefore(db, clock), key);
  return cachedFor(keepFigures, async () => readFigures(db, clock, await toShipBefore()), key);
}

/**
 * Counts orders and loans. On SQLite it yields to the event loop in between: an order whose status
 * changes during that time may be counted twice or not at all, until the next count.
 */
async function readFigures(
  db: Queries,
  clock: LocalClock,
  toShipBefore: ReadonlyMap<PeriodLength, number>,
): Promise<Figures> {
  const [now, timeZone] = [clock.now(), clock.timeZone()];
  const shown = lastDays(now, FIGURE_DAYS, timeZone);
  const periods = periodsAt(now, timeZone);
  const days = daysOfPeriods(periods, lastDays(now, 2 * FIGURE_DAYS, timeZone));
  const start = shown.at(0)?.start ?? now;
  const recentDays = days.filter((day) => day.start >= start);
  const olderSpans = [
    ...(await weeksBefore(db, days.at(0)?.start ?? now)),
    ...days.filter((day) => day.start < start),
  ];
  const statuses = [...new Set([...orderStatuses, ...(await listStatuses(db))])];
  const recent = await countByPaymentTime(db, statuses, recentDays);
  const counts = [...(await countOrders(db, statuses, olderSpans)), ...recent];
  const money = await readMoney(db, days);
  const isPaid = ({ status }: { readonly status: StoredStatus }) => isPaidStatus(status);
  return {
    to_ship: sumOrders(counts.filter(({ status }) => toShip.includes(status))),
    periods: sumByPeriod(periods, { counts, money, toShipBefore }),
    orders_by_status: statuses.map((status) => ({
      status,
      orders: sumOrders(counts.filter((count) => count.status === status)),
    })),
    days: shown.map(({ name }) => {
      const placed = recent.filter(({ day }) => day.name === name);
      const amounts = money.filter(({ day }) => day.name === name);
      return {
        day: name,
        placed: sumOrders(placed),
        paid: sumOrders(placed.filter(isPaid)),
        paid_amount: sumBy(amounts, ({ amount }) => amount),
      };
    }),
    order_to_payment: [...paymentBounds, null].map((within, index) => ({
      within,
      orders: sumOrders(recent.filter(({ payment_time }) => payment_time === index)),
    })),
    loans: await countLoans(db, shown),
  };
}

const sumOrders = (counts: readonly { readonly orders: number }[]) =>
  sumBy(counts, ({ orders }) => orders);

/** The weeks from the first order until `end`. */
async function weeksBefore(db: Queries, end: number): Promise<Span[]> {
  const first = db.selectFrom("orders").select("created_at").orderBy("created_at").limit(1);
  const start = (await first.executeTakeFirst())?.created_at ?? end;
  return splitSpan({ start, end }, 7 * DAY);
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

/** Counts the orders placed in each span by status. */
function countOrders(db: Queries, statuses: readonly StoredStatus[], spans: readonly Span[]) {
  const counts = db
    .selectFrom("orders")
    .select(({ fn }) => ["status", fn.countAll<number>().as("orders")])
    // With a list of statuses, both databases read only the index.
    .where(sql.ref<string>("status"), "in", statuses)
    .groupBy("status");
  return readByDay(db, counts, { column: "created_at", days: spans });
}

/** Counts the orders placed on each day by status and by the bucket of the time until payment. */
function countByPaymentTime(
  db: Queries,
  statuses: readonly StoredStatus[],
  days: readonly CalendarDay[],
) {
  const buckets = paymentBounds.map(
    (bound, index) => sql`WHEN paid_at - created_at <= ${bound} THEN ${sql.lit(index)}`,
  );
  const bucket = sql<number | null>`CASE WHEN paid_at IS NULL THEN NULL
    ${sql.join(buckets, sql` `)} ELSE ${sql.lit(paymentBounds.length)} END`;
  const counts = db
    .selectFrom("orders")
    .select(({ fn }) => ["status", bucket.as("payment_time"), fn.countAll<number>().as("orders")])
    .where(sql.ref<string>("status"), "in", statuses)
    .groupBy(["status", sql`payment_time`]);
  return readByDay(db, counts, { column: "created_at", days });
}

/** Counts the loans that were bound on these days, by state. */
async function countLoans(db: Queries, days: readonly CalendarDay[]): Promise<Figures["loans"]> {
  const counts = db
    .selectFrom("loans")
    .select(({ fn }) => ["state", fn.countAll<number>().as("bound")])
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
