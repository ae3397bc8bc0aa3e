import { backoff } from "../backoff.ts";
import { type Clock, elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { CLOCKS_DIFFER, endLease, takeLease } from "../db/leases.ts";
import { createEndTurn } from "../turns.ts";
import type { LoanPart, NotUnderstood } from "./loan.ts";
import type { LoanProvider } from "./loan-provider.ts";
import { withoutSettled } from "./settled-loans.ts";
import type { Settle } from "./settlement.ts";
import { readSweepState, writeSweepState } from "./sweep-state.ts";

/** All in milliseconds. */
export interface SweepTimes {
  /** The shortest pause between two sweeps of all processes. */
  readonly sweep: number;
  /** The longest pause between two sweeps, backoff included. */
  readonly sweepLongest: number;
  /** The backoff after a failed sweep; it doubles after each further failure. */
  readonly sweepRetry: number;
  /** The duration of the lease of the sweep. It is renewed while the sweep runs. */
  readonly sweepLease: number;
}

interface Dependencies {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly settle: Settle;
  /**
   * Called with entries that the adapter does not understand, and with how many of them may be
   * recorded.
   */
  readonly onNotUnderstood: (
    entries: readonly NotUnderstood[],
    mostRecorded: number,
  ) => Promise<void>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: SweepTimes;
  readonly onError: (error: unknown) => void;
}

/** The name of the lease of the sweep. */
const SWEEP = "sweep";
/**
 * The pause after a sweep as a multiple of its duration: at most a tenth of the time is spent on
 * sweeps.
 */
const PAUSE_PER_TIME = 9;
/**
 * The most entries that one sweep records as not understood. It is limited because all of them are
 * after a provider changes its API.
 */
const MOST_RECORDED = 100;

/**
 * How many loans are settled at a time: as many as one commit stores. With SQLite they take one
 * turn of the event loop, and a shopper waits for all of them.
 */
const AT_A_TIME = 10;
/** The share of the time that a sweep takes while requests come. */
const SHARE = 1 / 5;

/** The outcome of a sweep. */
type Outcome = "complete" | "deferred" | "failed";

/**
 * Settles every loan of the account, unless another process holds the lease. So orders become paid
 * even if their shoppers have closed the browser.
 *
 * @returns whether this process has swept
 */
export async function sweepInTurn(dependencies: Dependencies): Promise<boolean> {
  const { database, leaseNow, times, onError } = dependencies;
  const { db } = database;
  const began = leaseNow();
  const until = began + times.sweepLease;
  if (
    !(await takeLease(db, SWEEP, {
      now: began,
      until,
      furthest: times.sweepLongest + CLOCKS_DIFFER,
    }))
  ) {
    return false;
  }
  const held: Held = { until };
  const startedAt = elapsed();
  const outcome = await whileRenewing(held, () => sweep(dependencies), dependencies);
  const took = elapsed() - startedAt;
  const end = (pause: number) =>
    endLease(db, SWEEP, { from: held.until, until: leaseNow() + pause });
  switch (outcome) {
    case "complete":
      await writeSweepState(db, { began, ended: leaseNow(), failures: 0 });
      await end(within(took * PAUSE_PER_TIME, times));
      break;
    case "deferred":
      await end(times.sweepRetry);
      break;
    case "failed": {
      // Read again: if the lease was lost meanwhile, another process may have completed a sweep.
      const state = await readSweepState(db);
      await writeSweepState(db, { ...state, failures: state.failures + 1 });
      const wait = backoff(state.failures, times.sweepRetry, times.sweepLongest);
      await end(wait).catch(onError);
      break;
    }
  }
  return true;
}

/**
 * The expiry that this process last wrote to the lease. If the lease has another expiry, another
 * process holds it.
 */
interface Held {
  until: number;
}

function within(pause: number, { sweep, sweepLongest }: SweepTimes): number {
  return Math.round(Math.min(Math.max(pause, sweep), sweepLongest));
}

/** Does the work, and renews the lease until it ends. */
async function whileRenewing<T>(
  held: Held,
  work: () => Promise<T>,
  dependencies: Dependencies,
): Promise<T> {
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
  const endTurn = createEndTurn({ share: SHARE });
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
    await endTurn();
    for (let start = 0; start < changed.length; start += AT_A_TIME) {
      const some = changed.slice(start, start + AT_A_TIME);
      await Promise.all(some.map((loan) => settle(loan).catch(failed)));
      await endTurn();
    }
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
