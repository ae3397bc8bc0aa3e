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
  readonly requests: Histogram<"route" | "method" | "status">;
  itemsServed(): void;
}

interface Sources {
  readonly followers: () => number;
  readonly ordersByStatus: () => Promise<readonly { status: string; orders: number }[]>;
}

export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let itemsServed = 0;
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: "keepsats_items_served_total",
    help: "Answers of GET /api/items",
    registers,
    collect() {
      this.reset();
      this.inc(itemsServed);
    },
  });
  new Gauge({
    name: "keepsats_followers",
    help: "Open sockets of the order stream",
    registers,
    collect() {
      this.set(sources.followers());
    },
  });
  new Gauge({
    name: "keepsats_orders",
    help: "Orders by status",
    labelNames: ["status"],
    registers,
    async collect() {
      this.reset();
      for (const { status, orders } of await sources.ordersByStatus()) this.set({ status }, orders);
    },
  });
  const counter = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: [label], registers });
  return {
    registry,
    statusChanges: counter("keepsats_status_changes_total", "Moves of orders", "to"),
    mismatches: counter("keepsats_mismatches_total", "Contracts that do not pay their order", "kind"),
    providerCalls: counter("keepsats_provider_calls_total", "Calls to the loan provider", "outcome"),
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
