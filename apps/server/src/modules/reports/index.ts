import { orderStatuses } from "@keepsats/domain";
import type { FastifyInstance } from "fastify";
import type { Platform } from "../../platform/platform.ts";
import type { CurrentTimeZone } from "../../platform/scheduling/calendar-day.ts";
import type { ProviderState } from "../payments/index.ts";
import { bestSellersRoute } from "./best-sellers.ts";
import { createFigures, type FigureTimes } from "./order-figures.ts";
import { todayRoute } from "./today.ts";

export { type FigureTimes, figureTimes } from "./order-figures.ts";

interface Dependencies {
  readonly times: FigureTimes;
  readonly timeZone: CurrentTimeZone;
  readonly providerState: () => Promise<ProviderState>;
  /** Whether the shop sends email. */
  readonly sendsEmail: () => boolean;
}

/** Figures of orders and money, for the admin and the metrics. */
export function createReports(
  { database, metrics }: Platform,
  { times, timeZone, ...today }: Dependencies,
) {
  const clock = { now: database.now, timeZone };
  const figures = createFigures(database.db, clock, times);
  metrics.countsGauge({
    name: "keepsats_orders",
    help: "Orders by status, at most a few seconds old",
    label: "status",
    labels: orderStatuses,
    count: async () =>
      (await figures()).orders_by_status.map(({ status, orders }) => [status, orders]),
  });
  return {
    adminRoutes(app: FastifyInstance) {
      const { db } = database;
      todayRoute(app, { db, figures, ...today });
      bestSellersRoute(app, db, clock);
    },
  };
}
