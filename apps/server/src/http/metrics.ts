import { orderStatuses } from "@keepsats/domain";
import { mismatchKinds } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { bearerOnly, type TokenGuard } from "./bearer.ts";
import { sendProblem } from "./problems.ts";
import { refusals } from "./refusal.ts";

/** What the server counts. Nothing in it names an order or a person. */
export interface Metrics {
  readonly registry: Registry;
  readonly statusChanges: Counter<"to">;
  readonly mismatches: Counter<"kind">;
  readonly providerCalls: Counter<"outcome">;
  readonly notUnderstood: Counter;
  readonly refusals: Counter<"kind">;
  readonly orderToPaid: Histogram;
  readonly requests: Histogram<"route" | "method" | "status">;
  itemsServed(): void;
}

interface Sources {
  readonly followers: () => number;
  readonly ordersByStatus: () => Promise<readonly { status: string; orders: number }[]>;
  readonly openMismatches: () => Promise<readonly { kind: string; mismatches: number }[]>;
  /** In seconds. */
  readonly reconcileLag: () => Promise<number>;
  /** In seconds. */
  readonly lastCompleteSweep: () => Promise<number>;
  readonly providerUp: () => Promise<boolean>;
  /** How far this machine's clock is ahead of others, in seconds; `undefined` where that is not known. */
  readonly clockOffsets: () => { readonly database: number; readonly provider: number | undefined };
  /** Lag in milliseconds. */
  readonly bus: () => { readonly connected: boolean; readonly lag: number };
  readonly database: () => { readonly up: boolean; readonly queries: number; readonly seconds: number };
  readonly droppedLogLines: () => number;
}

/** How long the count of all orders is kept, in milliseconds: it grows with them. */
const COUNT_KEPT = 30_000;

export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let itemsServed = 0;
  collectDefaultMetrics({ register: registry });

  /** A figure that is read when it is asked for; one that cannot be read leaves the others as they are. */
  function gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await Promise.resolve(read()).catch(() => Number.NaN));
      },
    });
  }
  /** The same for one that only grows. */
  function total(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers });

  total("keepsats_items_served_total", "Answers of GET /api/items", () => itemsServed);
  total("keepsats_database_queries_total", "Queries of this process", () => sources.database().queries);
  total(
    "keepsats_database_seconds_total",
    "Time this process spent on them",
    () => sources.database().seconds,
  );
  total("keepsats_log_lines_dropped_total", "Lines of the log that could not be written", () =>
    sources.droppedLogLines(),
  );
  gauge("keepsats_database_up", "Whether the database can be read and written", () =>
    Number(sources.database().up),
  );
  gauge("keepsats_followers", "Open sockets of the order stream", sources.followers);
  gauge("keepsats_bus_connected", "Whether changes of other processes are heard", () =>
    Number(sources.bus().connected),
  );
  gauge("keepsats_bus_lag_seconds", "How long a message takes to come round", () => sources.bus().lag / 1000);
  gauge(
    "keepsats_reconcile_lag_seconds",
    "How long the most overdue look at a loan has waited, for all processes",
    sources.reconcileLag,
  );
  gauge(
    "keepsats_last_complete_sweep_seconds",
    "Since a sweep over all loans was completed by any process, or since the start where none was",
    sources.lastCompleteSweep,
  );
  gauge(
    "keepsats_provider_up",
    "Whether the loan provider's last answer to any process could be used",
    async () => Number(await sources.providerUp()),
  );
  gauge(
    "keepsats_clock_ahead_of_database_seconds",
    "How far this machine's clock is ahead of the database's",
    () => sources.clockOffsets().database,
  );
  gauge(
    "keepsats_clock_ahead_of_provider_seconds",
    "How far this machine's clock is ahead of the loan provider's",
    () => sources.clockOffsets().provider ?? Number.NaN,
  );
  countsGauge(registers, {
    name: "keepsats_orders",
    help: "Orders by status, counted every 30 seconds at most",
    label: "status",
    labels: orderStatuses,
    count: async () => (await sources.ordersByStatus()).map(({ status, orders }) => [status, orders]),
  });
  countsGauge(registers, {
    name: "keepsats_mismatches",
    help: "Mismatches that are recorded, counted every 30 seconds at most",
    label: "kind",
    labels: mismatchKinds,
    count: async () => (await sources.openMismatches()).map(({ kind, mismatches }) => [kind, mismatches]),
  });
  const mismatches = counter("keepsats_mismatches_total", "Mismatches that were found", "kind");
  for (const kind of mismatchKinds) mismatches.inc({ kind }, 0);
  const refused = counter(
    "keepsats_refusals_total",
    "What was too much for one address, and wrong tokens",
    "kind",
  );
  for (const kind of refusals) refused.inc({ kind }, 0);
  return {
    registry,
    refusals: refused,
    statusChanges: counter("keepsats_status_changes_total", "Moves of orders", "to"),
    mismatches,
    notUnderstood: new Counter({
      name: "keepsats_provider_entries_not_understood_total",
      help: "Loans that the provider tells in a form that is not understood, counted each time",
      registers,
    }),
    providerCalls: counter("keepsats_provider_calls_total", "Calls to the loan provider", "outcome"),
    orderToPaid: new Histogram({
      name: "keepsats_order_to_paid_seconds",
      help: "From the placing of an order to its payment",
      buckets: [30, 60, 300, 900, 3_600, 14_400, 86_400, 604_800],
      registers,
    }),
    requests: new Histogram({
      name: "keepsats_request_seconds",
      help: "Time to answer, the items list left out",
      labelNames: ["route", "method", "status"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    itemsServed() {
      itemsServed += 1;
    },
  };
}

/** What a gauge by label counts. */
interface Counts {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Every label that there can be: those that count nothing are told as 0. */
  readonly labels: readonly string[];
  readonly count: () => Promise<readonly (readonly [label: string, number: number])[]>;
}

/** A gauge of what is counted in the database, now and then. */
function countsGauge(registers: Registry[], { name, help, label, labels, count }: Counts): void {
  let countedAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      if (performance.now() - countedAt < COUNT_KEPT) return;
      const counts = await count().catch(() => undefined);
      if (counts === undefined) return;
      countedAt = performance.now();
      for (const known of labels) this.set({ [label]: known }, 0);
      for (const [found, number] of counts) this.set({ [label]: found }, number);
    },
  });
}

/** Times every request of a scope. */
export function timeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const labels = { route, method: request.method, status: String(reply.statusCode) };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
  });
}

/** `/metrics`, for whoever has the token; where none is set there is no such page. */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, token, guard }: { metrics: Metrics; token: string | undefined; guard: TokenGuard },
): void {
  if (token === undefined) {
    app.get("/metrics", (_request, reply) => sendProblem(reply, "not_found"));
    return;
  }
  app.get("/metrics", { onRequest: bearerOnly(token, guard) }, async (_request, reply) =>
    reply
      .type(metrics.registry.contentType)
      .header("Cache-Control", "no-store")
      .send(await metrics.registry.metrics()),
  );
}
