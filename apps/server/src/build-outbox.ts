import type { Telemetry } from "./build-telemetry.ts";
import type { Channel } from "./outbox/channel.ts";
import { countDeliveries } from "./outbox/figures.ts";
import { cleanupTimes, createForgetDeliveries } from "./outbox/forget-deliveries.ts";
import { createAnnounce } from "./outbox/outbox.ts";
import { createOutboxWorker, outboxTimes } from "./outbox/worker.ts";
import type { Parts } from "./parts.ts";
import { createOutboxMetrics } from "./telemetry/outbox.ts";

interface Needs {
  readonly telemetry: Telemetry;
  readonly channels: readonly Channel[];
}

/** Creates the function that stores what others must be told, and the worker that tells them. */
export function buildOutbox(
  { config, database, bus, newId }: Parts,
  { telemetry, channels }: Needs,
) {
  const { onError, metrics } = telemetry;
  const attempts = createOutboxMetrics({
    registry: metrics.registry,
    channels: channels.map(({ name }) => name),
    figures: () => countDeliveries(database.db),
    now: database.now,
  });
  const worker = createOutboxWorker({
    database,
    channels,
    random: Math.random,
    times: outboxTimes,
    onAttempt: (channel, result) => attempts.inc({ channel, result }),
    onGivenUp: () => {
      // Only the desk shows it.
      if (config.desk !== undefined) bus.publish({ topic: "given-up" });
    },
    onError,
  });
  const forget = createForgetDeliveries({ database, channels, times: cleanupTimes, onError });
  return {
    announce: createAnnounce({ now: database.now, newId, channels, onStored: worker.wake }),
    /** Looks for due deliveries at once, for example because one is repeated. */
    wake: worker.wake,
    start() {
      worker.start();
      forget.start();
    },
    async stop() {
      await Promise.all([worker.stop(), forget.stop()]);
    },
  };
}
