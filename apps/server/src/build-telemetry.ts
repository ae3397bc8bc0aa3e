import { elapsed } from "./clock.ts";
import { isDatabaseUnavailable } from "./db/faults.ts";
import { readLastBackup } from "./db/last-backup.ts";
import { createMetrics } from "./http/metrics.ts";
import type { Refusal } from "./http/refusal.ts";
import { createLimit, type Rule } from "./limits/limit.ts";
import type { OrderFigures } from "./orders/index.ts";
import { MAIL } from "./outbox/channel.ts";
import { readServiceState } from "./outbox/outages.ts";
import type { Parts } from "./parts.ts";
import {
  countIssues,
  overdueBy,
  readLastExpiry,
  readProviderState,
  readRefundsDue,
  readSweepState,
  writeProviderState,
} from "./payments/index.ts";
import { createIssueLog } from "./telemetry/payment-issues.ts";
import { createProviderLog } from "./telemetry/provider.ts";
import { createRefusalLog } from "./telemetry/refusals.ts";

export type Telemetry = ReturnType<typeof buildTelemetry>;

interface Sources {
  readonly figures: () => Promise<OrderFigures>;
  readonly followers: () => number;
}

/** Creates the metrics and logs, and the rate limits, which report their refusals to them. */
export function buildTelemetry(parts: Parts, { figures, followers }: Sources) {
  const { database, log } = parts;
  const onError = (error: unknown) => {
    // The database observer logs an outage once; here it would be logged for each of thousands of
    // waiting callers.
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, "work in the background failed");
  };
  const providerState = async () => (await readProviderState(database.db)) ?? provider.state();
  const metrics = createMetrics({
    ...storedFigures(parts),
    ordersByStatus: async () => (await figures()).byStatus,
    release: parts.release,
    followers,
    providerUp: async () => (await providerState()) !== "away",
    mailServerUp:
      parts.config.mail &&
      (async () => (await readServiceState(database.db, MAIL.service)) !== "away"),
    clockOffsets: () => ({
      database: (Date.now() - database.now()) / 1000,
      provider: provider.clockOffset(),
    }),
    bus: () => parts.bus.health,
    database: parts.databaseLoad,
    droppedLogLines: parts.droppedLogLines,
  });
  const provider = createProviderLog({
    log,
    metrics,
    store: (state) => void writeProviderState(database.db, state).catch(onError),
  });
  const refusals = createRefusalLog({ log, metrics, now: elapsed });
  return {
    onError,
    metrics,
    provider,
    providerState,
    refusals,
    issues: createIssueLog({ log, metrics }),
    limited: (...rules: Rule<Refusal>[]) =>
      createLimit(rules, { windows: parts.windows, now: elapsed, onRefused: refusals.refused }),
  };
}

/** The metrics that are read from the database on each scrape. */
function storedFigures({ database }: Parts) {
  const { db } = database;
  const startedAt = database.now();
  /**
   * The time since then, or since the start: a time in the future was stored before the clock was
   * set back.
   */
  function secondsSince(at: number): number {
    const now = database.now();
    return (now - (at === 0 || at > now ? startedAt : at)) / 1000;
  }
  return {
    openIssues: () => countIssues(db),
    refundsDue: () => readRefundsDue(db),
    reconcileLag: async () => (await overdueBy(db, database.now())) / 1000,
    lastCompleteSweep: async () => secondsSince((await readSweepState(db)).ended),
    lastBackup: async () => secondsSince(await readLastBackup(db)),
    lastExpiry: async () => secondsSince((await readLastExpiry(db)) ?? 0),
  };
}
