import { type Cents, heldChangeOf, isDecision, journalKinds, shopCurrency } from "@keepsats/domain";
import { type PeriodFigures, type PeriodLength, periodLengths } from "@keepsats/protocol";
import { sql } from "kysely";
import { readByDay } from "../../platform/database/by-day.ts";
import type { Queries } from "../../platform/database/database.ts";
import { daysBefore, daysIn, lastDays } from "../../platform/scheduling/calendar-day.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { type Figures, type LocalClock, sumBy } from "./figures.ts";

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
export type EarlierPeriods = ReadonlyMap<PeriodLength, EarlierPeriod>;

interface EarlierPeriod {
  readonly orders: number;
  readonly revenue: Cents;
}

export async function readEarlierPeriods(db: Queries, clock: LocalClock): Promise<EarlierPeriods> {
  const yieldToEventLoop = createYield({ share: 1 });
  const [now, timeZone] = [clock.now(), clock.timeZone()];
  const placed = db.selectFrom("orders").select(({ fn }) => fn.countAll<number>().as("orders"));
  const earlier = new Map<PeriodLength, EarlierPeriod>();
  for (const length of periodLengths) {
    const [first] = lastDays(now, 2 * length, timeZone);
    const end = daysBefore(now, length, timeZone);
    const days = daysIn({ start: first?.start ?? end, end }, timeZone);
    const orders = await readByDay(db, placed, { column: "created_at", days, yieldToEventLoop });
    const money = await readByDay(db, selectMoney(db), { column: "at", days, yieldToEventLoop });
    earlier.set(length, {
      orders: sumBy(orders, (day) => day.orders),
      revenue: sumBy(money, ({ amount }) => amount),
    });
  }
  return earlier;
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
