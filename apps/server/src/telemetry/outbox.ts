import { Counter, Gauge, type Registry } from "prom-client";
import type { Clock } from "../clock.ts";
import type { ChannelFigures } from "../outbox/figures.ts";

interface Dependencies {
  readonly registry: Registry;
  /** The names of the channels; those that have no deliveries are reported as 0. */
  readonly channels: readonly string[];
  readonly figures: () => Promise<readonly ChannelFigures[]>;
  /** The clock that all processes share. */
  readonly now: Clock;
}

/**
 * How long the figures are cached, in milliseconds, because counting takes longer with more
 * deliveries.
 */
const KEPT = 30_000;

/** The metrics of the outbox. @returns the counter of attempts of this process */
export function createOutboxMetrics({ registry, channels, figures, now }: Dependencies) {
  const registers = [registry];
  const readFigures = cached(figures);

  function gauge(name: string, help: string, figureOf: (found: ChannelFigures) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ["channel"],
      registers,
      async collect() {
        const found = await readFigures();
        if (found === undefined) return;
        for (const channel of channels) this.set({ channel }, 0);
        for (const one of found) this.set({ channel: one.channel }, figureOf(one));
      },
    });
  }

  gauge(
    "keepsats_outbox_waiting",
    "Deliveries that wait, of all processes",
    ({ waiting }) => waiting,
  );
  gauge(
    "keepsats_outbox_given_up",
    "Deliveries that were given up and are kept",
    ({ givenUp }) => givenUp,
  );
  gauge(
    "keepsats_outbox_oldest_seconds",
    "How long the oldest delivery has been waiting",
    ({ oldest }) => (oldest === undefined ? 0 : Math.max(0, now() - oldest) / 1000),
  );
  return new Counter({
    name: "keepsats_outbox_attempts_total",
    help: "Attempts of this process to deliver",
    labelNames: ["channel", "result"],
    registers,
  });
}

/** Reads again when the last figures are too old; keeps them when reading fails. */
function cached<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let last: Promise<T | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt < KEPT) return last;
    readAt = performance.now();
    const before = last;
    last = read().catch(() => before);
    return last;
  };
}
