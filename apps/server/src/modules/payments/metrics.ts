import { shopCurrency } from "@keepsats/domain";
import { issueKinds } from "@keepsats/protocol";
import type { Platform } from "../../platform/platform.ts";
import { cachedFor } from "../../platform/scheduling/cached-for.ts";
import { readLastExpiry } from "./expire-orders.ts";
import { countIssues } from "./issues/issue-repository.ts";
import { readRefundsDue } from "./journal/refunds-due.ts";
import { overdueBy } from "./loans/loan-queue.ts";
import type { createProviderHealth } from "./loans/provider-health.ts";
import { readSweepState } from "./loans/sweep.ts";

/**
 * How long counts of a table are cached, in milliseconds, because counting takes longer with more
 * rows.
 */
const COUNTS_CACHED_FOR = 30_000;

export function addGauges(
  { database: { db, now }, metrics, secondsSince }: Platform,
  health: Pick<ReturnType<typeof createProviderHealth>, "state" | "clockOffset">,
): void {
  metrics.gauge(
    "keepsats_reconcile_lag_seconds",
    "How late the most overdue check or sweep of loans is, for all processes",
    async () => (await overdueBy(db, now())) / 1000,
  );
  metrics.gauge(
    "keepsats_last_complete_sweep_seconds",
    "Time since any process completed a sweep over all loans, or since the start if none has",
    async () => secondsSince((await readSweepState(db)).ended),
  );
  metrics.gauge(
    "keepsats_last_expiry_seconds",
    "Time since any process looked for orders that were not paid in time, or since the start if none has",
    async () => secondsSince(await readLastExpiry(db)),
  );
  metrics.gauge(
    "keepsats_provider_up",
    "Whether the loan provider's last answer to any process was usable",
    async () => Number((await health.state()) !== "away"),
  );
  metrics.gauge(
    "keepsats_clock_ahead_of_provider_seconds",
    "How far this machine's clock is ahead of the loan provider's",
    () => health.clockOffset() ?? Number.NaN,
  );
  const issueCounts = cachedFor(COUNTS_CACHED_FOR, () => countIssues(db));
  metrics.countsGauge({
    name: "keepsats_payment_issues",
    help: "Open payment issues, counted every 30 seconds at most",
    label: "kind",
    labels: issueKinds,
    count: async () => (await issueCounts()).map(({ kind, issues }) => [kind, issues]),
  });
  const refundsDue = cachedFor(COUNTS_CACHED_FOR, () => readRefundsDue(db));
  metrics.gauge(
    "keepsats_refunds_due",
    "Orders, and loans without an order, whose money must be refunded, counted every 30 seconds at most",
    async () => (await refundsDue()).orders,
  );
  metrics.gauge(
    "keepsats_refunds_due_dollars",
    "What must be refunded for all of them in US dollars",
    async () => ((await refundsDue()).amounts.get(shopCurrency.code) ?? 0) / 100,
  );
}
