import { awaitsShipping, isPaidStatus, orderStatuses } from "@keepsats/domain";
import { type PeriodLength, periodLengths } from "@keepsats/protocol";
import { isRemote, type Queries } from "../../platform/database/database.ts";
import { lastDays } from "../../platform/scheduling/calendar-day.ts";
import { HOUR } from "../../platform/scheduling/clock.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import type { StoredStatus } from "../orders/index.ts";
import { type LocalClock, type StatusCount, sumBy } from "./figures.ts";

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
