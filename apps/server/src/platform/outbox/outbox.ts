import { Counter } from "prom-client";
import type { Database } from "../database/database.ts";
import type { Metrics } from "../observability/metrics.ts";
import { cachedFor } from "../scheduling/cached-for.ts";
import type { Worker } from "../scheduling/periodic-worker.ts";
import type { Channel } from "./channel.ts";
import { createDeliveryCleanup } from "./cleanup.ts";
import { countDeliveries, type DeliveryCounts } from "./deliveries.ts";
import { createEmitEvents } from "./emit-events.ts";
import { createOutboxWorker, outboxTimes } from "./worker.ts";

interface Dependencies {
  readonly database: Database;
  readonly newId: () => string;
  readonly metrics: Metrics;
  /** Called after a delivery has failed. */
  readonly onDeliveryFailed: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Stores domain events as deliveries in the transaction of the change, and delivers them through
 * its channels, at least once.
 */
export function createOutbox(dependencies: Dependencies) {
  const { database, newId, metrics, onDeliveryFailed, onError } = dependencies;
  const channels: Channel[] = [];
  const attempts = new Counter({
    name: "keepsats_outbox_attempts_total",
    help: "Attempts of this process to deliver",
    labelNames: ["channel", "result"],
    registers: [metrics.registry],
  });
  let worker: ReturnType<typeof createOutboxWorker> | undefined;
  let cleanup: Worker | undefined;
  const wake = () => worker?.wake();
  return {
    emitEvents: createEmitEvents({ database, newId, channels, onStored: wake }),
    /** Call before `start`. */
    addChannel(channel: Channel): void {
      channels.push(channel);
    },
    /** Searches for due deliveries at once, for example after a manual retry. */
    wake,
    start(): void {
      addGauges(metrics, database, channels);
      worker = createOutboxWorker({
        database,
        channels,
        times: outboxTimes,
        onAttempt: (channel, result) => attempts.inc({ channel, result }),
        onDeliveryFailed,
        onError,
      });
      cleanup = createDeliveryCleanup({ database, channels, onError });
      worker.start();
      cleanup.start();
    },
    async stop(): Promise<void> {
      await Promise.all([worker?.stop(), cleanup?.stop()]);
    },
  };
}

/** In milliseconds: counting takes longer with more deliveries. */
const COUNTS_CACHED_FOR = 30_000;

/** Adds gauges of the deliveries of all processes. Channels without deliveries are reported as 0. */
function addGauges(metrics: Metrics, { db, now }: Database, channels: readonly Channel[]): void {
  const readCounts = cachedFor(COUNTS_CACHED_FOR, () => countDeliveries(db));
  const labels = channels.map(({ name }) => name);

  function gauge(name: string, help: string, countOf: (counts: DeliveryCounts) => number): void {
    const count = async () =>
      (await readCounts()).map((counts) => [counts.channel, countOf(counts)] as const);
    metrics.countsGauge({ name, help, label: "channel", labels, count });
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
    ({ oldest }) => (oldest === undefined ? 0 : Math.max(0, now() - oldest) / 1000),
  );
}
