import { type Clock, elapsed } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { CheckContract } from "./check-contract.ts";
import { dueChecks, endLease, takeLease } from "./check-repository.ts";
import { knownStatuses } from "./contract-repository.ts";
import type { LoanProvider } from "./loan-provider.ts";
import type { Settle } from "./settlement.ts";

/** All in milliseconds. */
export interface ReconcilerTimes {
  /** Between two looks for checks whose time has come. */
  readonly tick: number;
  /** Until a sweep that got no answer is tried again. */
  readonly sweepRetry: number;
  /** Between two sweeps over all contracts of the account, by whichever process. */
  readonly sweep: number;
  /** How long the answers of idempotency keys are kept. */
  readonly keepAnswers: number;
}

/** Brings orders into agreement with the provider although no shopper is there to see it. */
export interface Reconciler {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Database;
  readonly provider: LoanProvider;
  readonly check: CheckContract;
  readonly settle: Settle;
  readonly now: Clock;
  readonly times: ReconcilerTimes;
  readonly onError: (error: unknown) => void;
}

const CHECKS_PER_TICK = 5;
const CONTRACTS_AT_A_TIME = 100;
const SWEEP = "sweep";

export function createReconciler(dependencies: Dependencies): Reconciler {
  const { database, check, now, times, onError } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let sweepDueAt = 0;

  async function sweepWhenDue(): Promise<void> {
    if (elapsed() < sweepDueAt) return;
    sweepDueAt = elapsed() + times.sweep;
    if (!(await takeLease(database.db, SWEEP, { now: now(), until: now() + times.sweep }))) return;
    if (await sweep(dependencies)) return;
    sweepDueAt = elapsed() + times.sweepRetry;
    await endLease(database.db, SWEEP, now() + times.sweepRetry);
  }

  async function tick(): Promise<void> {
    await sweepWhenDue();
    const due = await dueChecks(database.db, now(), CHECKS_PER_TICK);
    await Promise.all(due.map((key) => check(key)));
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = tick().catch(onError).finally(schedule);
    }, times.tick);
    timer.unref();
  }

  return {
    start: schedule,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Settles every contract of the account, so that a shopper who has closed the browser is served all the same.
 *
 * @returns whether the provider answered
 */
async function sweep({ database, provider, settle, now, times, onError }: Dependencies): Promise<boolean> {
  await database.db
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", now() - times.keepAnswers)
    .execute();
  const answer = await provider.contracts();
  if (answer.kind !== "found") return false;
  for (let start = 0; start < answer.value.length; start += CONTRACTS_AT_A_TIME) {
    const some = answer.value.slice(start, start + CONTRACTS_AT_A_TIME);
    const known = await knownStatuses(
      database.db,
      some.map(({ id }) => id),
    );
    const changed = some.filter(({ id, status }) => known.get(id) !== status);
    await Promise.all(changed.map((contract) => settle(contract).catch(onError)));
    await new Promise(setImmediate);
  }
  return true;
}
