import { Counter } from "prom-client";
import type { Database } from "../database/database.ts";
import type { Metrics } from "../observability/metrics.ts";
import { cachedFor } from "../scheduling/cached-for.ts";
import { countDeliveries, type DeliveryCounts } from "./deliveries.ts";

/** In milliseconds: counting takes longer with more deliveries. */
const CACHED_FOR = 30_000;

interface Counted {
  readonly database: Database;
  /** Channels without deliveries are reported as 0. */
  readonly channels: readonly string[];
}

/** Gauges of the deliveries of all processes. */
export function createOutboxMetrics(metrics: Metrics, { database, channels }: Counted): void {
  const readCounts = cachedFor(CACHED_FOR, () => countDeliveries(database.db));

  function gauge(name: string, help: string, countOf: (counts: DeliveryCounts) => number): void {
    metrics.countsGauge({
      name,
      help,
      label: "channel",
      labels: channels,
      count: async () =>
        (await readCounts()).map((counts) => [counts.channel, countOf(counts)] as const),
    });
  }

  gauge(
    "keepsats_outbox_waiting",
    "Deliveries that wait, of all processes",
    ({ waiting }) => waiting,
  );
  gauge("keepsats_outbox_failed", "Failed deliveries that are kept", ({ failed }) => failed);
  gauge(
    "keepsats_outbox_oldest_seconds",
    "How long the oldest delivery has been waiting",
    ({ oldest }) => (oldest === undefined ? 0 : Math.max(0, database.now() - oldest) / 1000),
  );
}

export function countAttempts({ registry }: Metrics) {
  return new Counter({
    name: "keepsats_outbox_attempts_total",
    help: "Attempts of this process to deliver",
    labelNames: ["channel", "result"],
    registers: [registry],
  });
}
