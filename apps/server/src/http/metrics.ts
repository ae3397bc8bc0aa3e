import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { bearerIs } from "./bearer.ts";
import { sendProblem } from "./problems.ts";

/** What the server counts. Nothing in it names an order or a person. */
export interface Metrics {
  readonly registry: Registry;
  readonly statusChanges: Counter<"to">;
  readonly mismatches: Counter<"kind">;
  readonly providerCalls: Counter<"outcome">;
  readonly orderToPaid: Histogram;
  readonly requests: Histogram<"route" | "method" | "status">;
  itemsServed(): void;
}

interface Sources {
  readonly followers: () => number;
  readonly ordersByStatus: () => Promise<readonly { status: string; orders: number }[]>;
  /** In seconds. */
  readonly reconcileLag: () => Promise<number>;
  /** Lag in milliseconds. */
  readonly bus: () => { readonly connected: boolean; readonly lag: number };
  readonly database: () => { readonly up: boolean; readonly queries: number; readonly seconds: number };
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
  ordersGauge(registers, sources.ordersByStatus);
  return {
    registry,
    statusChanges: counter("keepsats_status_changes_total", "Moves of orders", "to"),
    mismatches: counter("keepsats_mismatches_total", "Contracts that do not pay their order", "kind"),
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

/** Orders by status, counted now and then. */
function ordersGauge(registers: Registry[], count: Sources["ordersByStatus"]): void {
  let countedAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name: "keepsats_orders",
    help: "Orders by status, counted every 30 seconds at most",
    labelNames: ["status"],
    registers,
    async collect() {
      if (performance.now() - countedAt < COUNT_KEPT) return;
      const counts = await count().catch(() => undefined);
      if (counts === undefined) return;
      countedAt = performance.now();
      this.reset();
      for (const { status, orders } of counts) this.set({ status }, orders);
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
  { metrics, token }: { metrics: Metrics; token: string | undefined },
): void {
  app.get("/metrics", async (request, reply) => {
    if (token === undefined) return sendProblem(reply, "not_found");
    if (!bearerIs(request.headers.authorization, token)) return sendProblem(reply, "unauthorized");
    return reply
      .type(metrics.registry.contentType)
      .header("Cache-Control", "no-store")
      .send(await metrics.registry.metrics());
  });
}
