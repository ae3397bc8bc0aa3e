import { isPaidStatus, orderStatuses } from "@keepsats/domain";
import { type BestSellers, bestSellersSchema, type PeriodLength, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import { readByDay } from "../../platform/database/by-day.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { get, route } from "../../platform/http/route.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { type CalendarDay, lastDays } from "../../platform/scheduling/calendar-day.ts";
import { SECOND } from "../../platform/scheduling/clock.ts";
import { findTitlesAndPictures } from "../catalogue/index.ts";
import { cacheKeyOf, type LocalClock } from "./figures.ts";

const MAX_BEST_SELLERS = 5;
/** How long the best sellers are cached, for each day of the period, in milliseconds. */
const CACHED_FOR = 15 * SECOND;

type Sales = Omit<BestSellers["items"][number], "id" | "picture">;

/** The best-selling items of the period's paid orders, at the prices of these orders. */
export async function readBestSellers(
  db: Queries,
  length: PeriodLength,
  { now, timeZone }: LocalClock,
): Promise<BestSellers["items"]> {
  const sales = await readSales(db, lastDays(now(), length, timeZone()));
  const best = [...sales]
    .toSorted(([, one], [, other]) => other.pieces - one.pieces || other.revenue - one.revenue)
    .slice(0, MAX_BEST_SELLERS);
  const items = await findTitlesAndPictures(
    db,
    best.map(([id]) => id),
  );
  return best.map(([id, { name, pieces, revenue }]) => ({
    id,
    name: items.get(id)?.name ?? name,
    picture: items.get(id)?.image_url ?? null,
    pieces,
    revenue,
  }));
}

/** Sums the lines of the paid orders placed on these days, by item. */
async function readSales(
  db: Queries,
  days: readonly CalendarDay[],
): Promise<ReadonlyMap<string, Sales>> {
  const sold = db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select(({ fn }) => [
      "item_id",
      fn.max("name").as("name"),
      fn.sum<number>("quantity").as("pieces"),
      sql<number>`sum(quantity * price)`.as("revenue"),
    ])
    .where("status", "in", orderStatuses.filter(isPaidStatus))
    .groupBy("item_id");
  const sales = new Map<string, Sales>();
  for (const row of await readByDay(db, sold, { column: "created_at", days })) {
    const known = sales.get(row.item_id) ?? { pieces: 0, revenue: 0 };
    sales.set(row.item_id, {
      name: row.name,
      pieces: known.pieces + Number(row.pieces),
      revenue: known.revenue + Number(row.revenue),
    });
  }
  return sales;
}

const length = z
  .enum(["1", "7", "30"])
  .check(z.meta({ description: "The days of the period, with today" }));

const operation = {
  operationId: "bestSellers",
  summary: "Get the best-selling items of a period",
  description:
    "Items of the paid orders that were placed today or in the last 7 or 30 days; the items with the most pieces sold come first. The answer is cached: 15 seconds for each day of the period.",
  permission: "reports:read",
  takes: z.object({ query: z.object({ days: length }) }),
  answers: { 200: bestSellersSchema },
} satisfies Operation;

export function bestSellersRoute(app: FastifyInstance, db: Queries, clock: LocalClock): void {
  const cached = (days: PeriodLength) =>
    cachedFor(CACHED_FOR * days, () => readBestSellers(db, days, clock), cacheKeyOf(clock));
  const reads = { "1": cached(1), "7": cached(7), "30": cached(30) };
  route(app, get(paths.admin.bestSellers), operation, async ({ query: { days } }) => ({
    items: await reads[days](),
  }));
}
