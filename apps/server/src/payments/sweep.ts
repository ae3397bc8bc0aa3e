import { type Clock, elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { endLease, takeLease } from "../db/leases.ts";
import type { LoanPart, NotUnderstood } from "./loan.ts";
import type { LoanProvider } from "./loan-provider.ts";
import { withoutSettled } from "./settled-loans.ts";
import type { Settle } from "./settlement.ts";
import { readSweepState, writeSweepState } from "./sweep-state.ts";

/** All in milliseconds. */
export interface SweepTimes {
  /** The shortest pause between two sweeps over all loans of the account, by whichever process. */
  readonly sweep: number;
  /** The longest pause, however long sweeps take and however often they fail. */
  readonly sweepLongest: number;
  /** Until a sweep that failed is tried again; twice as long after each further failure. */
  readonly sweepRetry: number;
  /** How long the lease of a sweep outlives its process. It is renewed while the sweep goes on. */
  readonly sweepLease: number;
}

interface Dependencies {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly settle: Settle;
  /** Is told of entries that the adapter does not understand, and how many of them may be recorded. */
  readonly onNotUnderstood: (entries: readonly NotUnderstood[], mostRecorded: number) => Promise<void>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: SweepTimes;
  readonly onError: (error: unknown) => void;
}

/** The lease that says which process sweeps. */
const SWEEP = "sweep";
/** A sweep that took 1 s is followed by a pause of 9 s, so that at most a tenth of the time is spent on sweeps. */
const PAUSE_PER_TIME = 9;
/** By how much the clocks of processes may differ, in milliseconds. */
const CLOCKS_DIFFER = 10_000;
/** How many entries that are not understood one sweep records. Where a provider changes its API, no entry is understood. */
const MOST_RECORDED = 100;

/** How a sweep ended. */
type Outcome = "complete" | "deferred" | "failed";

/**
 * Settles every loan of the account unless another process does, so that orders are paid whose shoppers have closed the
 * browser.
 *
 * @returns whether this process has swept
 */
export async function sweepInTurn(dependencies: Dependencies): Promise<boolean> {
  const { database, leaseNow, times, onError } = dependencies;
  const { db } = database;
  const began = leaseNow();
  const until = began + times.sweepLease;
  if (!(await takeLease(db, SWEEP, { now: began, until, furthest: times.sweepLongest + CLOCKS_DIFFER }))) {
    return false;
  }
  const held: Held = { until };
  const startedAt = elapsed();
  const outcome = await whileRenewing(held, () => sweep(dependencies), dependencies);
  const took = elapsed() - startedAt;
  const end = (pause: number) => endLease(db, SWEEP, { from: held.until, until: leaseNow() + pause });
  switch (outcome) {
    case "complete":
      await writeSweepState(db, { began, ended: leaseNow(), failures: 0 });
      await end(within(took * PAUSE_PER_TIME, times));
      break;
    case "deferred":
      await end(times.sweepRetry);
      break;
    case "failed": {
      // Read anew: if the lease was lost meanwhile, another process may have completed a sweep.
      const state = await readSweepState(db);
      await writeSweepState(db, { ...state, failures: state.failures + 1 });
      const backOff = times.sweepRetry * 2 ** Math.min(state.failures, 10);
      await end(Math.min(backOff, times.sweepLongest)).catch(onError);
      break;
    }
  }
  return true;
}

/** The time that this process has last written to the lease. A process that finds another time there has lost it. */
interface Held {
  until: number;
}

function within(pause: number, { sweep, sweepLongest }: SweepTimes): number {
  return Math.round(Math.min(Math.max(pause, sweep), sweepLongest));
}

/** Renews the lease until the work is done. */
async function whileRenewing<T>(held: Held, work: () => Promise<T>, dependencies: Dependencies): Promise<T> {
  const { database, leaseNow, times, onError } = dependencies;
  let renewing: Promise<void> = Promise.resolve();
  async function renew(): Promise<void> {
    const until = leaseNow() + times.sweepLease;
    if (await endLease(database.db, SWEEP, { from: held.until, until })) held.until = until;
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(onError);
  }, times.sweepLease / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}

async function sweep({
  database,
  provider,
  settle,
  onNotUnderstood,
  onError,
}: Dependencies): Promise<Outcome> {
  let failures = 0;
  let recorded = 0;
  const failed = (error: unknown) => {
    failures += 1;
    onError(error);
  };
  async function settlePart({ loans, notUnderstood }: LoanPart): Promise<void> {
    if (notUnderstood.length > 0) {
      await onNotUnderstood(notUnderstood, Math.max(0, MOST_RECORDED - recorded)).catch(failed);
      recorded += notUnderstood.length;
    }
    const changed = await withoutSettled(database.db, loans);
    await Promise.all(changed.map((loan) => settle(loan).catch(failed)));
  }
  try {
    const answer = await provider.loans(settlePart);
    if (answer.kind === "deferred") return "deferred";
    return answer.kind === "found" && failures === 0 ? "complete" : "failed";
  } catch (error) {
    onError(error);
    return "failed";
  }
}
