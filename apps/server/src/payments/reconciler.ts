import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { createLoop, type Loop } from "../loop.ts";
import type { CheckLoan } from "./check-loan.ts";
import { dueChecks } from "./check-repository.ts";

/** All in milliseconds. */
export interface ReconcilerTimes {
  /** The interval between two searches for due checks. */
  readonly tick: number;
  /** The interval between two attempts to take the lease of the sweep. */
  readonly sweepTick: number;
}

interface Dependencies {
  readonly database: Database;
  readonly check: CheckLoan;
  /** Sweeps over all loans, unless another process holds the lease. */
  readonly sweep: () => Promise<unknown>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: ReconcilerTimes;
  readonly onError: (error: unknown) => void;
}

const CHECKS_PER_TICK = 5;

/**
 * Reconciles orders with the provider when they have no followers. Two independent loops: one runs
 * the due checks of single loans, the other sweeps over all loans.
 */
export function createReconciler(dependencies: Dependencies): Loop {
  const { database, check, sweep, leaseNow, times, onError } = dependencies;

  async function checkDue(): Promise<void> {
    const due = await dueChecks(database.db, leaseNow(), CHECKS_PER_TICK);
    await Promise.all(due.map((key) => check(key, { client: "reconciler", holdsKey: false })));
  }

  const loops = [
    createLoop(checkDue, times.tick, onError),
    createLoop(sweep, times.sweepTick, onError),
  ];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
