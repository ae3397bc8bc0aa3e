import { isPaidStatus, orderStatuses } from "@keepsats/domain";
import { type BestSellers, bestSellersSchema, type PeriodLength, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Queries } from "../../platform/database/database.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { get, route } from "../../platform/http/route.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { lastDays } from "../../platform/scheduling/calendar-day.ts";
import { createYield } from "../../platform/scheduling/yield-to-event-loop.ts";
import { findTitlesAndPictures } from "../catalogue/index.ts";
import { batchesByTime } from "../orders/index.ts";
import { cacheKeyOf, type LocalClock } from "./figures.ts";

const MAX_BEST_SELLERS = 5;
/** How many orders one query sums: few enough that SQLite serves other requests in between. */
const ORDERS_PER_QUERY = 500;

type Sales = Omit<BestSellers["items"][number], "id" | "picture">;

/** The best-selling items of the period's paid orders, at the prices of these orders. */
export async function readBestSellers(
  db: Queries,
  length: PeriodLength,
  { now, timeZone }: LocalClock,
): Promise<BestSellers["items"]> {
  const [first] = lastDays(now(), length, timeZone());
  const sales = await readSales(db, first?.start ?? 0);
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

/** Sums the lines of the paid orders placed since a time, by item. */
async function readSales(db: Queries, since: number): Promise<ReadonlyMap<string, Sales>> {
  const yieldToEventLoop = createYield({ share: 1 / 2 });
  const sales = new Map<string, Sales>();
  for (const status of orderStatuses.filter(isPaidStatus)) {
    const paid = { status, from: since, oldestFirst: true };
    for await (const batch of batchesByTime(db, paid, { limit: ORDERS_PER_QUERY })) {
      const rows = await db
        .selectFrom(batch.select("id").as("sold"))
        .innerJoin("order_lines", "order_lines.order_id", "sold.id")
        .select(({ fn }) => [
          "item_id",
          fn.max("name").as("name"),
          fn.sum<number>("quantity").as("pieces"),
          sql<number>`sum(quantity * price)`.as("revenue"),
        ])
        .groupBy("item_id")
        .execute();
      for (const { item_id, name, pieces, revenue } of rows) {
        const known = sales.get(item_id) ?? { pieces: 0, revenue: 0 };
        sales.set(item_id, {
          name,
          pieces: known.pieces + Number(pieces),
          revenue: known.revenue + Number(revenue),
        });
      }
      await yieldToEventLoop();
    }
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

/** @param keep how long the best sellers of one day are cached, in milliseconds */
export function bestSellersRoute(
  app: FastifyInstance,
  { db, clock, keep }: { readonly db: Queries; readonly clock: LocalClock; readonly keep: number },
): void {
  const cached = (days: PeriodLength) =>
    cachedFor(keep * days, () => readBestSellers(db, days, clock), cacheKeyOf(clock));
  const reads = { "1": cached(1), "7": cached(7), "30": cached(30) };
  route(app, get(paths.admin.bestSellers), operation, async ({ query: { days } }) => ({
    items: await reads[days](),
  }));
}
