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
  /** Hears of entries of the list that are no contracts as we know them. */
  readonly onNotUnderstood: (entries: readonly NotUnderstood[]) => Promise<void>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: SweepTimes;
  readonly onError: (error: unknown) => void;
}

/** The lease that says which process sweeps. */
const SWEEP = "sweep";
/** A sweep that has taken 1 s is followed by a pause of 9 s: a tenth of the time, at the most, is spent on sweeps. */
const PAUSE_PER_TIME = 9;

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
  const lease = { now: began, until: began + times.sweepLease, furthest: times.sweepLongest };
  if (!(await takeLease(db, SWEEP, lease))) return false;
  const state = await readSweepState(db);
  const startedAt = elapsed();
  const outcome = await whileRenewing(() => sweep(dependencies), dependencies);
  const took = elapsed() - startedAt;
  switch (outcome) {
    case "complete":
      await writeSweepState(db, { began, ended: leaseNow(), failures: 0 });
      await endLease(db, SWEEP, leaseNow() + within(took * PAUSE_PER_TIME, times));
      break;
    case "deferred":
      await endLease(db, SWEEP, leaseNow() + times.sweepRetry);
      break;
    case "failed": {
      const { failures } = state;
      await writeSweepState(db, { ...state, failures: failures + 1 });
      const backOff = times.sweepRetry * 2 ** Math.min(failures, 10);
      await endLease(db, SWEEP, leaseNow() + Math.min(backOff, times.sweepLongest)).catch(onError);
      break;
    }
  }
  return true;
}

function within(pause: number, { sweep, sweepLongest }: SweepTimes): number {
  return Math.round(Math.min(Math.max(pause, sweep), sweepLongest));
}

/** Keeps the lease for as long as the work takes. */
async function whileRenewing<T>(work: () => Promise<T>, dependencies: Dependencies): Promise<T> {
  const { database, leaseNow, times, onError } = dependencies;
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = endLease(database.db, SWEEP, leaseNow() + times.sweepLease).catch(onError);
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
  const failed = (error: unknown) => {
    failures += 1;
    onError(error);
  };
  async function settlePart({ contracts, notUnderstood }: ListPart): Promise<void> {
    if (notUnderstood.length > 0) await onNotUnderstood(notUnderstood).catch(failed);
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
