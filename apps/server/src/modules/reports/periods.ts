import {
  awaitsShipping,
  type Cents,
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
import { isRemote, type Queries } from "../../platform/database/database.ts";
import { daysBefore, daysIn, lastDays } from "../../platform/scheduling/calendar-day.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import type { StoredStatus } from "../orders/index.ts";
import { type Figures, type LocalClock, type StatusCount, sumBy } from "./figures.ts";

/** Without `transferred`, which moves money between accounts of the shop. */
const kinds = journalKinds.filter((kind) => !isDecision(kind) && kind !== "transferred");
const outgoing = kinds.filter((kind) => heldChangeOf({ kind, amount: 1 }) < 0);

/** Selects the sum of the money received less the money refunded, in the shop's currency. */
export function selectMoney(db: Queries) {
  const signed = sql`CASE WHEN kind IN (${sql.join(outgoing)}) THEN -amount ELSE amount END`;
  return db
    .selectFrom("journal")
    .select(sql<number | string | null>`sum(${signed})`.as("amount"))
    .where("kind", "in", kinds)
    .where("currency", "=", shopCurrency.code);
}

/** Orders and revenue of the period before, until the same time of the day. */
export type EarlierPeriods = Awaited<ReturnType<typeof readEarlierPeriods>>;

export async function readEarlierPeriods(db: Queries, clock: LocalClock) {
  const [now, timeZone] = [clock.now(), clock.timeZone()];
  const placed = db.selectFrom("orders").select(({ fn }) => fn.countAll<number>().as("orders"));
  const earlier = new Map<PeriodLength, { readonly orders: number; readonly revenue: Cents }>();
  for (const length of periodLengths) {
    const [first] = lastDays(now, 2 * length, timeZone);
    const end = daysBefore(now, length, timeZone);
    const days = daysIn({ start: first?.start ?? end, end }, timeZone);
    const orders = await readByDay(db, placed, { column: "created_at", days });
    const money = await readByDay(db, selectMoney(db), { column: "at", days });
    earlier.set(length, {
      orders: sumBy(orders, (day) => day.orders),
      revenue: sumBy(money, ({ amount }) => amount),
    });
  }
  return earlier;
}

/** The changes of how many hours one query reads on SQLite. */
const HOURS_PER_QUERY = 6;

/** The statuses of orders to ship. */
const toShip: readonly StoredStatus[] = orderStatuses.filter(
  (status) => isPaidStatus(status) && awaitsShipping(status),
);

export function sumToShip(counts: readonly StatusCount[]): number {
  const ofToShip = counts.filter(({ status }) => toShip.includes(status));
  return sumBy(ofToShip, ({ orders }) => orders);
}

/** How many orders were to ship when each period began. */
export async function readToShipBefore(
  db: Queries,
  clock: LocalClock,
): Promise<ReadonlyMap<PeriodLength, number>> {
  const now = clock.now();
  const before = new Map<PeriodLength, number>();
  for (const length of periodLengths) {
    const [first] = lastDays(now, length, clock.timeZone());
    before.set(length, await countToShipAt(db, first?.start ?? now, now));
  }
  return before;
}

/**
 * An order that has not changed since `start` still has the status that it had then. The status of a
 * changed order is in its order events. Ids are collected, so that an order that changes during the
 * count counts once.
 */
async function countToShipAt(db: Queries, start: number, now: number): Promise<number> {
  const yieldToEventLoop = createYield({ share: 1 });
  const waiting = await db
    .selectFrom("orders")
    .select(["id", "updated_at"])
    .where("status", "in", toShip)
    .orderBy("status")
    .execute();
  const ids = new Set(waiting.flatMap(({ id, updated_at }) => (updated_at < start ? id : [])));
  const step = isRemote(db) ? Number.POSITIVE_INFINITY : HOURS_PER_QUERY * HOUR;
  for (let from = start; from <= now; from += step) {
    let changed = db
      .selectFrom("orders")
      .select("id")
      .where("updated_at", ">=", from)
      .orderBy("updated_at")
      .where(
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
    if (from + step <= now) changed = changed.where("updated_at", "<", from + step);
    for (const { id } of await changed.execute()) ids.add(id);
    await yieldToEventLoop();
  }
  return ids.size;
}

/** @param toShip the orders that were to ship when each period began */
export function sumByPeriod(
  days: Figures["days"],
  earlier: EarlierPeriods,
  toShip: ReadonlyMap<PeriodLength, number>,
): PeriodFigures[] {
  return periodLengths.map((length) => {
    const shown = days.slice(-length);
    const before = earlier.get(length);
    return {
      days: length,
      orders: sumBy(shown, ({ placed }) => placed),
      orders_before: before?.orders ?? 0,
      revenue: sumBy(shown, ({ paid_amount }) => paid_amount),
      revenue_before: before?.revenue ?? 0,
      to_ship_before: toShip.get(length) ?? 0,
    };
  });
}
