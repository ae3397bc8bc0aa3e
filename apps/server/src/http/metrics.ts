import { orderStatuses } from "@keepsats/domain";
import { issueKinds, type Release } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { bearerIs, bearerOnly, type TokenGuard } from "./bearer.ts";
import { sendProblem } from "./problems.ts";
import { refusals } from "./refusal.ts";

/** The server's metrics. They name no order and no person. */
export interface Metrics {
  readonly registry: Registry;
  readonly statusChanges: Counter<"to">;
  readonly expired: Counter;
  readonly issues: Counter<"kind">;
  readonly providerCalls: Counter<"outcome">;
  readonly notUnderstood: Counter;
  readonly refusals: Counter<"kind">;
  readonly orderToPaid: Histogram;
  readonly requests: Histogram<"route" | "method" | "status">;
  itemsServed(): void;
}

interface Sources {
  readonly release: Release;
  readonly followers: () => number;
  readonly ordersByStatus: () => Promise<readonly { status: string; orders: number }[]>;
  readonly openIssues: () => Promise<readonly { kind: string; issues: number }[]>;
  /** How many accounts must be refunded, and how much in the shop's currency, in its hundredths. */
  readonly refundsDue: () => Promise<{ readonly orders: number; readonly amount: number }>;
  /** In seconds. */
  readonly reconcileLag: () => Promise<number>;
  /** In seconds. */
  readonly lastCompleteSweep: () => Promise<number>;
  /** In seconds. */
  readonly lastBackup: () => Promise<number>;
  /** In seconds. */
  readonly lastExpiry: () => Promise<number>;
  readonly providerUp: () => Promise<boolean>;
  /** `undefined` if no mail is configured. */
  readonly mailServerUp: (() => Promise<boolean>) | undefined;
  /** How far this machine's clock is ahead of the others, in seconds; `undefined` if unknown. */
  readonly clockOffsets: () => { readonly database: number; readonly provider: number | undefined };
  /** Lag in milliseconds. */
  readonly bus: () => { readonly connected: boolean; readonly lag: number };
  readonly database: () => {
    readonly up: boolean;
    readonly queries: number;
    readonly seconds: number;
  };
  readonly droppedLogLines: () => number;
}

/**
 * How long counts of a table are cached, in milliseconds, because counting takes longer with more
 * rows.
 */
const COUNT_KEPT = 30_000;

export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let itemsServed = 0;
  collectDefaultMetrics({ register: registry });

  /**
   * Adds a gauge that is read at each scrape. If it cannot be read, the other metrics are still
   * served.
   */
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
  /** Adds a counter that is read at each scrape. */
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

  new Gauge({
    name: "keepsats_build_info",
    help: "The version of Keepsats and the commit from which it was built",
    labelNames: ["version", "commit"],
    registers,
  }).set({ ...sources.release }, 1);
  total("keepsats_items_served_total", "Answers of GET /api/items", () => itemsServed);
  total(
    "keepsats_database_queries_total",
    "Queries of this process",
    () => sources.database().queries,
  );
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
  gauge("keepsats_bus_connected", "Whether messages of other processes are received", () =>
    Number(sources.bus().connected),
  );
  gauge(
    "keepsats_bus_lag_seconds",
    "How long a message takes through the bus and back",
    () => sources.bus().lag / 1000,
  );
  gauge(
    "keepsats_reconcile_lag_seconds",
    "How late the most overdue check or sweep of loans is, for all processes",
    sources.reconcileLag,
  );
  gauge(
    "keepsats_last_complete_sweep_seconds",
    "Time since any process completed a sweep over all loans, or since the start if none has",
    sources.lastCompleteSweep,
  );
  gauge(
    "keepsats_last_expiry_seconds",
    "Time since any process looked for orders that were not paid in time, or since the start if none has",
    sources.lastExpiry,
  );
  gauge(
    "keepsats_last_backup_seconds",
    "Time since the last complete backup, or since the start if there was none",
    sources.lastBackup,
  );
  gauge(
    "keepsats_provider_up",
    "Whether the loan provider's last answer to any process was usable",
    async () => Number(await sources.providerUp()),
  );
  const { mailServerUp } = sources;
  if (mailServerUp !== undefined)
    gauge(
      "keepsats_mail_server_up",
      "Whether the mail server accepted the last email of any process",
      async () => Number(await mailServerUp()),
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
    help: "Orders by status, as they were a few seconds ago",
    label: "status",
    labels: orderStatuses,
    count: async () =>
      (await sources.ordersByStatus()).map(({ status, orders }) => [status, orders]),
    kept: 0,
  });
  countsGauge(registers, {
    name: "keepsats_payment_issues",
    help: "Open payment issues, counted every 30 seconds at most",
    label: "kind",
    labels: issueKinds,
    count: async () => (await sources.openIssues()).map(({ kind, issues }) => [kind, issues]),
    kept: COUNT_KEPT,
  });
  const refundsDue = keptFor(COUNT_KEPT, sources.refundsDue);
  gauge(
    "keepsats_refunds_due",
    "Orders, and loans without an order, whose money must be refunded, counted every 30 seconds at most",
    async () => (await refundsDue()).orders,
  );
  gauge(
    "keepsats_refunds_due_dollars",
    "What must be refunded for all of them in US dollars",
    async () => (await refundsDue()).amount / 100,
  );
  const issues = counter(
    "keepsats_payment_issues_total",
    "Payment issues that were recorded",
    "kind",
  );
  for (const kind of issueKinds) issues.inc({ kind }, 0);
  const refused = counter(
    "keepsats_refusals_total",
    "Requests that were refused by a limit per address, and wrong tokens",
    "kind",
  );
  for (const kind of refusals) refused.inc({ kind }, 0);
  return {
    registry,
    refusals: refused,
    statusChanges: counter("keepsats_status_changes_total", "Status changes of orders", "to"),
    expired: new Counter({
      name: "keepsats_orders_expired_total",
      help: "Orders that were cancelled because they were not paid in time",
      registers,
    }),
    issues,
    notUnderstood: new Counter({
      name: "keepsats_provider_entries_not_understood_total",
      help: "Entries of the provider that could not be understood, counted each time",
      registers,
    }),
    providerCalls: counter(
      "keepsats_provider_calls_total",
      "Calls to the loan provider",
      "outcome",
    ),
    orderToPaid: new Histogram({
      name: "keepsats_order_to_paid_seconds",
      help: "Time from placing an order to its payment",
      buckets: [30, 60, 300, 900, 3_600, 14_400, 86_400, 604_800],
      registers,
    }),
    requests: new Histogram({
      name: "keepsats_request_seconds",
      help: "Time to answer requests, without the list of items",
      labelNames: ["route", "method", "status"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    itemsServed() {
      itemsServed += 1;
    },
  };
}

/** Shares what was read for a time in milliseconds. After a failure it is read again. */
function keptFor<Value>(kept: number, read: () => Promise<Value>): () => Promise<Value> {
  let readAt = Number.NEGATIVE_INFINITY;
  let value: Promise<Value> | undefined;
  return () => {
    if (value !== undefined && performance.now() - readAt < kept) return value;
    readAt = performance.now();
    value = read().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}

/** A gauge with one label, counted in the database. */
interface Counts {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** All known label values; those without a count are reported as 0. */
  readonly labels: readonly string[];
  readonly count: () => Promise<readonly (readonly [label: string, number: number])[]>;
  /** How long the counts are cached, in milliseconds. */
  readonly kept: number;
}

/**
 * Adds a gauge that is read from the database. If it cannot be read, it keeps the counts from
 * before.
 */
function countsGauge(
  registers: Registry[],
  { name, help, label, labels, count, kept }: Counts,
): void {
  let countedAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      if (performance.now() - countedAt < kept) return;
      const counts = await count().catch(() => undefined);
      if (counts === undefined) return;
      countedAt = performance.now();
      for (const known of labels) this.set({ [label]: known }, 0);
      for (const [found, number] of counts) this.set({ [label]: found }, number);
    },
  });
}

/**
 * Measures every request of a scope, and logs its duration and parameterless route at the level
 * `debug`.
 */
export function timeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const labels = { route, method: request.method, status: String(reply.statusCode) };
    metrics.requests.observe(labels, reply.elapsedTime / 1000);
    request.log.debug({ ...labels, ms: Math.round(reply.elapsedTime) }, "answered");
    done();
  });
}

/** `/metrics`, behind its token. Without a configured token there is no such route. */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, token, guard }: { metrics: Metrics; token: string | undefined; guard: TokenGuard },
): void {
  if (token === undefined) {
    app.get("/metrics", (_request, reply) => sendProblem(reply, "not_found"));
    return;
  }
  app.get(
    "/metrics",
    { onRequest: bearerOnly(({ headers }) => bearerIs(headers.authorization, token), guard) },
    async (_request, reply) =>
      reply
        .type(metrics.registry.contentType)
        .header("Cache-Control", "no-store")
        .send(await metrics.registry.metrics()),
  );
}
