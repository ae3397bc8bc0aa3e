import {
  awaitsShipping,
  heldChangeOf,
  isDecision,
  isPaidStatus,
  journalKinds,
  orderStatuses,
  shopCurrency,
} from "@keepsats/domain";
import { type PeriodFigures, type PeriodLength, periodLengths } from "@keepsats/protocol";
import { sql } from "kysely";
import { readByDay } from "../../platform/database/by-day.ts";
import type { Queries } from "../../platform/database/database.ts";
import {
  type CalendarDay,
  daysBefore,
  lastDays,
  type Span,
} from "../../platform/scheduling/calendar-day.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import type { StoredStatus } from "../orders/index.ts";
import { type LocalClock, sumBy } from "./figures.ts";

/** Without `transferred`, which moves money between accounts of the shop. */
const kinds = journalKinds.filter((kind) => !isDecision(kind) && kind !== "transferred");
const outgoing = kinds.filter((kind) => heldChangeOf({ kind, amount: 1 }) < 0);

/** Sums the money received less the money refunded on each day, in the shop's currency. */
export function readMoney(db: Queries, days: readonly CalendarDay[]) {
  const signed = sql`CASE WHEN kind IN (${sql.join(outgoing)}) THEN -amount ELSE amount END`;
  const money = db
    .selectFrom("journal")
    .select(sql<number | string | null>`sum(${signed})`.as("amount"))
    .where("kind", "in", kinds)
    .where("currency", "=", shopCurrency.code);
  return readByDay(db, money, { column: "at", days });
}

interface Period {
  readonly length: PeriodLength;
  readonly current: Span;
  /** The period before, until the same time of the day. */
  readonly before: Span;
}

export function periodsAt(now: number, timeZone: string): Period[] {
  const startOf = (days: number) => lastDays(now, days, timeZone).at(0)?.start ?? now;
  return periodLengths.map((length) => ({
    length,
    current: { start: startOf(length), end: Number.POSITIVE_INFINITY },
    before: { start: startOf(2 * length), end: daysBefore(now, length, timeZone) },
  }));
}

/** Splits each day on which a period before ends, so that each part is in the period or is not. */
export function daysOfPeriods(
  periods: readonly Period[],
  days: readonly CalendarDay[],
): CalendarDay[] {
  return days.flatMap((day) => {
    const split = periods.find(({ before: { end } }) => end > day.start && end < day.end);
    if (split === undefined) return [day];
    const { end } = split.before;
    return [
      { ...day, end },
      { ...day, start: end },
    ];
  });
}

/** Splits a span into spans of `length` milliseconds; the last one may be shorter. */
export function splitSpan({ start, end }: Span, length: number): Span[] {
  const spans: Span[] = [];
  for (let from = start; from < end; from += length)
    spans.push({ start: from, end: Math.min(from + length, end) });
  return spans;
}

/** The statuses of orders to ship. */
export const toShip: readonly StoredStatus[] = orderStatuses.filter(
  (status) => isPaidStatus(status) && awaitsShipping(status),
);

/** How many orders were to ship when each period began. */
export async function readToShipBefore(
  db: Queries,
  { now, timeZone }: LocalClock,
): Promise<ReadonlyMap<PeriodLength, number>> {
  const before = new Map<PeriodLength, number>();
  for (const { length, current } of periodsAt(now(), timeZone()))
    before.set(length, await countToShipAt(db, current.start, now()));
  return before;
}

/**
 * Counts the orders that were to ship at `start`. An order that has not changed since still has the
 * status that it had then. The status of a changed order is in its order events.
 */
async function countToShipAt(db: Queries, start: number, now: number): Promise<number> {
  const orders = db.selectFrom("orders").select(({ fn }) => fn.countAll<number>().as("orders"));
  const unchanged = await orders
    .where("status", "in", toShip)
    .where("updated_at", "<", start)
    .groupBy("status")
    .execute();
  const changed = orders.where(
    ({ selectFrom }) =>
      selectFrom("order_events")
        .select("to_status")
        .whereRef("order_events.order_id", "=", "orders.id")
        .where("order_events.at", "<", start)
        .orderBy("order_events.version", "desc")
        .limit(1),
    "in",
    toShip,
  );
  const days = [
    // Each changed order takes a lookup: on SQLite, a day of them would block for too long.
    ...splitSpan({ start, end: now }, 6 * HOUR),
    // An order may change during the count.
    { start: now, end: Number.MAX_SAFE_INTEGER },
  ];
  const waited = await readByDay(db, changed, { column: "updated_at", days });
  return sumBy([...unchanged, ...waited], (row) => row.orders);
}

interface Counted {
  readonly counts: readonly { readonly day: Span; readonly orders: number }[];
  readonly money: readonly { readonly day: Span; readonly amount: number | string | null }[];
  /** The orders that were to ship when each period began. */
  readonly toShipBefore: ReadonlyMap<PeriodLength, number>;
}

export function sumByPeriod(
  periods: readonly Period[],
  { counts, money, toShipBefore }: Counted,
): PeriodFigures[] {
  const ordersIn = (span: Span) => sumBy(within(counts, span), ({ orders }) => orders);
  const revenueIn = (span: Span) => sumBy(within(money, span), ({ amount }) => amount);
  return periods.map(({ length, current, before }) => ({
    days: length,
    orders: ordersIn(current),
    orders_before: ordersIn(before),
    revenue: revenueIn(current),
    revenue_before: revenueIn(before),
    to_ship_before: toShipBefore.get(length) ?? 0,
  }));
}

function within<Row extends { readonly day: Span }>(rows: readonly Row[], span: Span): Row[] {
  return rows.filter(({ day }) => day.start >= span.start && day.end <= span.end);
}
