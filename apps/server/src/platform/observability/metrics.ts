import type { Release } from "@keepsats/protocol";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

interface CountsGauge {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Labels without a count are reported as 0. */
  readonly labels: readonly string[];
  readonly count: () => Promise<readonly (readonly [label: string, number: number])[]>;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Each module adds its own metrics. They contain no order and no person. */
export function createMetrics(release: Release) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "keepsats_build_info",
    help: "The version of Keepsats and the commit from which it was built",
    labelNames: ["version", "commit"],
    registers,
  }).set({ ...release }, 1);
  return {
    registry,
    requests: new Histogram({
      name: "keepsats_request_seconds",
      help: "Time to answer requests, without the list of items",
      labelNames: ["route", "method", "status"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    /** Adds a gauge that is read at each scrape. If a read fails, the others are still served. */
    gauge(name: string, help: string, read: () => number | Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await Promise.resolve(read()).catch(() => Number.NaN));
        },
      });
    },
    /** Adds gauges by label. They keep the last counts if counting fails. */
    countsGauge({ name, help, label, labels, count }: CountsGauge): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const counts = await count().catch(() => undefined);
          if (counts === undefined) return;
          for (const known of labels) this.set({ [label]: known }, 0);
          for (const [found, number] of counts) this.set({ [label]: found }, number);
        },
      });
    },
    /** Adds a counter that is read at each scrape. */
    total(name: string, help: string, read: () => number): void {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    /** Adds a counter with one label; known labels start at 0. */
    counter<Label extends string>(
      name: string,
      help: string,
      label: Label,
      known: readonly string[] = [],
    ) {
      const counter = new Counter({ name, help, labelNames: [label], registers });
      for (const value of known) counter.labels(value).inc(0);
      return counter;
    },
  };
}
