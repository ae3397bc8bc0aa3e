import { orderStatuses } from "@keepsats/domain";
import { type OrderCounts, orderCountsSchema, paths } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import type { Operation } from "../../../platform/http/operation.ts";
import { get, route } from "../../../platform/http/route.ts";
import type { CurrentTimeZone } from "../../../platform/scheduling/calendar-day.ts";
import { isPermitted } from "../../staff/index.ts";
import type { OrderFilter } from "./order-filter.ts";
import { filterOf, filterParameters } from "./order-parameters.ts";
import { queryByTime } from "./orders-by-time.ts";
import { searchOrders } from "./search-orders.ts";
import { withoutWords } from "./search-words.ts";

/** Counting ends at this number: an exact count of a million orders takes too long. */
export const MAX_COUNTED = 500;

type Count = OrderCounts["orders_by_status"][number];

/**
 * Counts orders by status, at most {@link MAX_COUNTED} of each. With a search text, counting ends
 * once that many orders are found in total; then each number is the least there may be.
 */
export async function countOrders(
  db: Queries,
  { text, from, before }: Pick<OrderFilter, "text" | "from" | "before">,
): Promise<Count[]> {
  if (text === undefined) return countByStatus(db, { from, before });
  const found = await searchOrders(db, { text, from, before }, { limit: MAX_COUNTED + 1 });
  const more = found.length > MAX_COUNTED;
  return orderStatuses.map((status) => ({
    status,
    orders: found.filter((order) => order.status === status).length,
    more,
  }));
}

async function countByStatus(db: Queries, filter: OrderFilter): Promise<Count[]> {
  const counts: Count[] = [];
  for (const status of orderStatuses) {
    const page = queryByTime(db, { ...filter, status }, { limit: MAX_COUNTED + 1 });
    const { length } = await page.select("id").execute();
    const more = length > MAX_COUNTED;
    counts.push({ status, orders: Math.min(length, MAX_COUNTED), more });
  }
  return counts;
}

const operation = {
  operationId: "countOrders",
  summary: "Count orders by status",
  description: `The orders that match a search and were placed in a time. Counting ends at ${MAX_COUNTED} orders of a status, or of a search; \`more\` says so.`,
  permission: "orders:pack",
  takes: z.object({ query: z.pick(filterParameters, { q: true, from: true, to: true }) }),
  answers: { 200: orderCountsSchema },
} satisfies Operation;

export function countOrdersRoute(
  app: FastifyInstance,
  db: Queries,
  timeZone: CurrentTimeZone,
): void {
  route(app, get(paths.admin.orderCounts), operation, async ({ query }, reply) => {
    const filter = filterOf(query, timeZone());
    const mayReadWords = isPermitted(reply.request, "orders:read");
    const text = mayReadWords ? filter.text : filter.text && withoutWords(filter.text);
    return { orders_by_status: await countOrders(db, { ...filter, text }) };
  });
}
