import * as z from "zod/mini";
import type { Queries } from "../../../platform/database/database.ts";
import { readValue, writeValue } from "../../../platform/database/key-values.ts";
import { MAX_CLOCK_SKEW, setLeaseEnd, takeLease } from "../../../platform/database/leases.ts";
import { parseJson } from "../../../platform/parse-json.ts";
import type { Platform } from "../../../platform/platform.ts";
import { backoff, elapsed, MINUTE } from "../../../platform/scheduling/clock.ts";
import { slices } from "../../../platform/scheduling/slices.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import type { RecordUnrecognized } from "../issues/record-unrecognized.ts";
import type { LoanPart, LoanProvider } from "./loan-provider.ts";
import { withoutSettled } from "./loan-repository.ts";
import type { Settle } from "./settlement.ts";

/** In milliseconds. */
export const sweepTimes = {
  /** The shortest pause between two sweeps of all processes. */
  minSweepPause: 30_000,
  /** The longest pause, backoff included. */
  maxSweepPause: 5 * MINUTE,
  /** The backoff after a failed sweep; it doubles after each further failure. */
  sweepBackoff: 5_000,
  /** The duration of the lease, which is renewed while the sweep runs. */
  sweepLeaseDuration: 30_000,
};

type Dependencies = Pick<Platform, "database" | "onError"> & {
  readonly provider: LoanProvider;
  readonly settle: Settle;
  readonly recordUnrecognized: RecordUnrecognized;
  /**
   * Called after each complete sweep, before the next one may begin; not for a sweep after which
   * the process died.
   */
  readonly onSweepComplete?: ((began: number) => Promise<void>) | undefined;
  readonly times: typeof sweepTimes;
};

/** The name of the lease and of the stored state. */
const SWEEP = "sweep";
/** The pause after a sweep, in durations of it: sweeps take at most a tenth of the time. */
const PAUSE_PER_TIME = 9;
/** The limit of issues `unrecognized` in one sweep, for a provider that has changed its API. */
const MAX_RECORDED_ISSUES = 100;

/**
 * How many loans are settled together: as many as one commit stores. With SQLite they block the
 * event loop, and a customer waits for all of them.
 */
const MAX_LOANS_PER_BATCH = 10;
/** The share of the time that a sweep takes while requests come. */
const SWEEP_SHARE = 1 / 5;

/**
 * Settles every loan of the account, unless another process holds the lease. So orders become paid
 * even if their customers have closed the browser.
 *
 * @returns whether this process has swept
 */
export async function sweepInTurn(dependencies: Dependencies): Promise<boolean> {
  const { database, times, onError } = dependencies;
  const { db } = database;
  const began = database.now();
  /** The end of the lease that this process last wrote. It identifies the holder. */
  let until = began + times.sweepLeaseDuration;
  const maxDuration = times.maxSweepPause + MAX_CLOCK_SKEW;
  if (!(await takeLease(db, SWEEP, { now: began, until, maxDuration }))) return false;

  async function renew(): Promise<void> {
    const later = database.now() + times.sweepLeaseDuration;
    if (await setLeaseEnd(db, SWEEP, { from: until, until: later })) until = later;
  }
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(onError);
  }, times.sweepLeaseDuration / 3);
  const pause = await sweepAndRecord(began, dependencies).finally(async () => {
    clearInterval(timer);
    await renewing;
  });
  await setLeaseEnd(db, SWEEP, { from: until, until: database.now() + pause });
  return true;
}

/** @returns the pause until the next sweep, in milliseconds */
async function sweepAndRecord(began: number, dependencies: Dependencies): Promise<number> {
  const { database, times, onSweepComplete, onError } = dependencies;
  const startedAt = elapsed();
  const outcome = await sweep(dependencies);
  const took = elapsed() - startedAt;
  switch (outcome) {
    case "complete":
      await writeSweepState(database.db, { began, ended: database.now(), failures: 0 });
      await onSweepComplete?.(began).catch(onError);
      return Math.round(
        Math.min(Math.max(took * PAUSE_PER_TIME, times.minSweepPause), times.maxSweepPause),
      );
    case "deferred":
      return times.sweepBackoff;
    case "failed": {
      // Read now: if the lease was lost, another process may have completed a sweep since.
      const state = await readSweepState(database.db);
      await writeSweepState(database.db, { ...state, failures: state.failures + 1 });
      return backoff(state.failures, times.sweepBackoff, times.maxSweepPause);
    }
  }
}

async function sweep({
  database,
  provider,
  settle,
  recordUnrecognized,
  onError,
}: Dependencies): Promise<"complete" | "deferred" | "failed"> {
  let failures = 0;
  let recorded = 0;
  const yieldToEventLoop = createYield({ share: SWEEP_SHARE });
  const failed = (error: unknown) => {
    failures += 1;
    onError(error);
  };
  async function settlePart({ loans, unrecognized }: LoanPart): Promise<void> {
    if (unrecognized.length > 0) {
      const max = Math.max(0, MAX_RECORDED_ISSUES - recorded);
      await recordUnrecognized(unrecognized, max).catch(failed);
      recorded += unrecognized.length;
    }
    const changed = await withoutSettled(database.db, loans);
    await yieldToEventLoop();
    for (const batch of slices(changed, MAX_LOANS_PER_BATCH)) {
      await Promise.all(batch.map((loan) => settle(loan).catch(failed)));
      await yieldToEventLoop();
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
  /** When the last complete sweep began, in epoch milliseconds; 0 before the first. */
  began: z.number(),
  ended: z.number(),
  /** The failed sweeps since the last complete one. */
  failures: z.number(),
});

type SweepState = z.output<typeof stateSchema>;

const none: SweepState = { began: 0, ended: 0, failures: 0 };

/** An invalid stored state counts as no sweep; the next sweep overwrites it. */
export async function readSweepState(db: Queries): Promise<SweepState> {
  const stored = await readValue(db, SWEEP);
  return stateSchema.safeParse(parseJson(stored ?? "")).data ?? none;
}

/**
 * When the last complete sweep of all processes began, in epoch milliseconds; 0 before the first. A
 * sweep that began in the future was stored before the clock was set back, and does not count.
 */
export async function lastSweepBegan(db: Queries, now: number): Promise<number> {
  const { began } = await readSweepState(db);
  return began > now ? 0 : began;
}

export async function writeSweepState(db: Queries, state: SweepState): Promise<void> {
  await writeValue(db, SWEEP, JSON.stringify(state));
}
