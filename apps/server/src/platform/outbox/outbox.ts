import type { Database } from "../database/database.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Worker } from "../scheduling/periodic-worker.ts";
import type { Channel } from "./channel.ts";
import { cleanupTimes, createDeliveryCleanup } from "./cleanup.ts";
import { createEmitEvents, type EmitEvents } from "./emit-events.ts";
import { countAttempts, createOutboxMetrics } from "./metrics.ts";
import { createOutboxWorker, type OutboxWorker, outboxTimes } from "./worker.ts";

/**
 * Stores domain events as deliveries in the transaction of the change, and delivers them through
 * its channels, at least once.
 */
export interface Outbox extends Worker {
  readonly emitEvents: EmitEvents;
  /** Call before {@link start}. */
  addChannel(channel: Channel): void;
  /** Searches for due deliveries at once, for example after a manual retry. */
  wake(): void;
}

interface Dependencies {
  readonly database: Database;
  readonly newId: () => string;
  readonly metrics: Metrics;
  /** Called after a delivery has failed. */
  readonly onDeliveryFailed: () => void;
  readonly onError: (error: unknown) => void;
}

export function createOutbox(dependencies: Dependencies): Outbox {
  const { database, newId, metrics, onDeliveryFailed, onError } = dependencies;
  const channels: Channel[] = [];
  const attempts = countAttempts(metrics);
  let worker: OutboxWorker | undefined;
  let cleanup: Worker | undefined;
  const wake = () => worker?.wake();
  return {
    emitEvents: createEmitEvents({ database, newId, channels, onStored: wake }),
    addChannel(channel) {
      channels.push(channel);
    },
    wake,
    start() {
      createOutboxMetrics(metrics, { database, channels: channels.map(({ name }) => name) });
      worker = createOutboxWorker({
        database,
        channels,
        random: Math.random,
        times: outboxTimes,
        onAttempt: (channel, result) => attempts.inc({ channel, result }),
        onDeliveryFailed,
        onError,
      });
      cleanup = createDeliveryCleanup({ database, channels, times: cleanupTimes, onError });
      worker.start();
      cleanup.start();
    },
    async stop() {
      await Promise.all([worker?.stop(), cleanup?.stop()]);
    },
  };
}
