import { type Clock, elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { endLease, takeLease } from "./check-repository.ts";
import type { ListPart } from "./contract-list.ts";
import type { LoanProvider, NotUnderstood } from "./loan-provider.ts";
import { withoutSettled } from "./settled-before.ts";
import type { Settle } from "./settlement.ts";
import { readSweepState, writeSweepState } from "./sweep-state.ts";

/** All in milliseconds. */
export interface SweepTimes {
  /** The shortest pause between two sweeps over all contracts of the account, by whichever process. */
  readonly sweep: number;
  /** The longest pause, however long sweeps take and however often they fail. */
  readonly sweepLongest: number;
  /** Until a sweep that failed is tried again; twice as long after each further failure. */
  readonly sweepRetry: number;
  /** How long the lease of a sweep outlives its process. It is renewed while the sweep goes on. */
  readonly sweepLease: number;
  /** How long the answers of idempotency keys are kept. */
  readonly keepAnswers: number;
}

interface Dependencies {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly settle: Settle;
  /** Hears of entries of the list that are no contracts as we know them, and how many of them may be recorded. */
  readonly onNotUnderstood: (entries: readonly NotUnderstood[], mostRecorded: number) => Promise<void>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: SweepTimes;
  readonly onError: (error: unknown) => void;
}

/** The lease that says which process sweeps. */
const SWEEP = "sweep";
/** A sweep that has taken 1 s is followed by a pause of 9 s: a tenth of the time, at the most, is spent on sweeps. */
const PAUSE_PER_TIME = 9;
/** By how much the clocks of processes may differ, in milliseconds. */
const CLOCKS_DIFFER = 10_000;
/** Where a provider speaks another language all of a sudden, some examples say it as well as all. */
const MOST_RECORDED = 100;

/** How a sweep ended. */
type Outcome = "complete" | "deferred" | "failed";

/**
 * Settles every contract of the account if nobody else does at the moment, so that a shopper who has closed the browser
 * is served all the same.
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

/** The lease as this process has written it last; whoever finds another time in it has lost it. */
interface Held {
  until: number;
}

function within(pause: number, { sweep, sweepLongest }: SweepTimes): number {
  return Math.round(Math.min(Math.max(pause, sweep), sweepLongest));
}

/** Keeps the lease for as long as the work takes. */
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
  leaseNow,
  times,
  onError,
}: Dependencies): Promise<Outcome> {
  let failures = 0;
  let recorded = 0;
  const failed = (error: unknown) => {
    failures += 1;
    onError(error);
  };
  async function settlePart({ contracts, notUnderstood }: ListPart): Promise<void> {
    if (notUnderstood.length > 0) {
      await onNotUnderstood(notUnderstood, Math.max(0, MOST_RECORDED - recorded)).catch(failed);
      recorded += notUnderstood.length;
    }
    const changed = await withoutSettled(database.db, contracts);
    await Promise.all(changed.map((contract) => settle(contract).catch(failed)));
  }
  try {
    await removeOldAnswers(database, leaseNow() - times.keepAnswers);
    const answer = await provider.contracts(settlePart);
    if (answer.kind === "deferred") return "deferred";
    return answer.kind === "found" && failures === 0 ? "complete" : "failed";
  } catch (error) {
    onError(error);
    return "failed";
  }
}

/** How many answers one statement removes: after a long stop there may be hundreds of thousands. */
const ANSWERS_AT_A_TIME = 500;

/** Removes the answers of idempotency keys that were stored before a time, in epoch milliseconds. */
async function removeOldAnswers({ db }: Database, before: number): Promise<void> {
  for (;;) {
    const old = db
      .selectFrom("idempotency_keys")
      .select("key")
      .where("created_at", "<", before)
      .limit(ANSWERS_AT_A_TIME);
    const { numDeletedRows } = await db
      .deleteFrom("idempotency_keys")
      .where("key", "in", old)
      .executeTakeFirstOrThrow();
    if (numDeletedRows < ANSWERS_AT_A_TIME) return;
    await new Promise(setImmediate);
  }
}
