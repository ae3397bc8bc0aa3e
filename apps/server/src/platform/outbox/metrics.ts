import { Counter, Gauge } from "prom-client";
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
export function createOutboxMetrics({ registry }: Metrics, { database, channels }: Counted): void {
  let last: Awaited<ReturnType<typeof countDeliveries>> | undefined;
  // If a read fails, the last counts are reported for as long as new ones would be.
  const readCounts = cachedFor(CACHED_FOR, async () => {
    last = await countDeliveries(database.db).catch(() => last);
    return last;
  });

  function gauge(name: string, help: string, countOf: (counts: DeliveryCounts) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ["channel"],
      registers: [registry],
      async collect() {
        const found = await readCounts();
        if (found === undefined) return;
        for (const channel of channels) this.set({ channel }, 0);
        for (const one of found) this.set({ channel: one.channel }, countOf(one));
      },
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
