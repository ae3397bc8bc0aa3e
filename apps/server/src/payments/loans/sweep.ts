import * as z from "zod/mini";
import { backoff } from "../../backoff.ts";
import { type Clock, elapsed } from "../../clock.ts";
import type { Database, Queries } from "../../db/database.ts";
import { readFact, writeFact } from "../../db/facts.ts";
import { CLOCKS_DIFFER, endLease, takeLease } from "../../db/leases.ts";
import { createEndTurn } from "../../turns.ts";
import type { LoanPart, NotUnderstood } from "../loan.ts";
import type { LoanProvider } from "../loan-provider.ts";
import { withoutSettled } from "../settled-loans.ts";
import type { Settle } from "../settlement.ts";

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
  /**
   * Called after each complete sweep, before the next one may begin. It is not called again for a
   * sweep after which the process died.
   *
   * @param began when the sweep began, in epoch milliseconds of the shared clock
   */
  readonly onSweepComplete?: ((began: number) => Promise<void>) | undefined;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: SweepTimes;
  readonly onError: (error: unknown) => void;
}

/** The name of the lease of the sweeps, and of their stored state. */
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
  /** The end of the lease that this process last wrote. It identifies the holder. */
  let until = began + times.sweepLease;
  const furthest = times.sweepLongest + CLOCKS_DIFFER;
  if (!(await takeLease(db, SWEEP, { now: began, until, furthest }))) return false;

  async function renew(): Promise<void> {
    const later = leaseNow() + times.sweepLease;
    if (await endLease(db, SWEEP, { from: until, until: later })) until = later;
  }
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(onError);
  }, times.sweepLease / 3);
  const pause = await sweepAndRecord(began, dependencies).finally(async () => {
    clearInterval(timer);
    await renewing;
  });
  await endLease(db, SWEEP, { from: until, until: leaseNow() + pause });
  return true;
}

/** @returns the pause until the next sweep, in milliseconds */
async function sweepAndRecord(began: number, dependencies: Dependencies): Promise<number> {
  const { database, leaseNow, times, onSweepComplete, onError } = dependencies;
  const startedAt = elapsed();
  const outcome = await sweep(dependencies);
  const took = elapsed() - startedAt;
  switch (outcome) {
    case "complete":
      await writeSweepState(database.db, { began, ended: leaseNow(), failures: 0 });
      await onSweepComplete?.(began).catch(onError);
      return Math.round(Math.min(Math.max(took * PAUSE_PER_TIME, times.sweep), times.sweepLongest));
    case "deferred":
      return times.sweepRetry;
    case "failed": {
      // Read now: if the lease was lost, another process may have completed a sweep since.
      const state = await readSweepState(database.db);
      await writeSweepState(database.db, { ...state, failures: state.failures + 1 });
      return backoff(state.failures, times.sweepRetry, times.sweepLongest);
    }
  }
}

async function sweep({
  database,
  provider,
  settle,
  onNotUnderstood,
  onError,
}: Dependencies): Promise<"complete" | "deferred" | "failed"> {
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

const stateSchema = z.object({
  /** When the last complete sweep began and ended, in epoch milliseconds; 0 before the first. */
  began: z.number(),
  ended: z.number(),
  /** The number of failed sweeps since then. */
  failures: z.number(),
});

/** The state of the sweeps of all processes. */
type SweepState = z.output<typeof stateSchema>;

const none: SweepState = { began: 0, ended: 0, failures: 0 };

/**
 * Reads the state of the sweeps. An invalid stored value counts as no sweep; the next sweep
 * overwrites it.
 */
export async function readSweepState(db: Queries): Promise<SweepState> {
  const fact = await readFact(db, SWEEP);
  return stateSchema.safeParse(parseJson(fact ?? "")).data ?? none;
}

/**
 * When the last complete sweep of all processes began, in epoch milliseconds; 0 before the first. A
 * sweep that began in the future was stored before the clock was set back, and does not count.
 */
export async function lastSweepBegan(db: Queries, now: number): Promise<number> {
  const { began } = await readSweepState(db);
  return began > now ? 0 : began;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores the state of the sweeps for all processes. */
export async function writeSweepState(db: Queries, state: SweepState): Promise<void> {
  await writeFact(db, SWEEP, JSON.stringify(state));
}
