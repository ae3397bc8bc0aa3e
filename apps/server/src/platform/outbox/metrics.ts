import { Counter, Gauge } from "prom-client";
import type { Database } from "../database/database.ts";
import type { Metrics } from "../observability/metrics.ts";
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
  const readCounts = cached(() => countDeliveries(database.db));

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

/** Keeps the last counts when reading fails. */
function cached<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let last: Promise<T | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt < CACHED_FOR) return last;
    readAt = performance.now();
    const before = last;
    last = read().catch(() => before);
    return last;
  };
}
