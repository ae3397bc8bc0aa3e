import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { CheckContract } from "./check-contract.ts";
import { dueChecks } from "./check-repository.ts";

/** All in milliseconds. */
export interface ReconcilerTimes {
  /** Between two looks for checks whose time has come. */
  readonly tick: number;
  /** Between two looks whether it is time to sweep. */
  readonly sweepTick: number;
}

/** Brings orders into agreement with the provider although no shopper is there to see it. */
export interface Reconciler {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Database;
  readonly check: CheckContract;
  /** Sweeps over all contracts if it is this process's turn. */
  readonly sweep: () => Promise<unknown>;
  /** The clock that all processes share. */
  readonly leaseNow: Clock;
  readonly times: ReconcilerTimes;
  readonly onError: (error: unknown) => void;
}

const CHECKS_PER_TICK = 5;

/** Two loops that do not wait for each other: single contracts whose time has come, and the sweep over all of them. */
export function createReconciler(dependencies: Dependencies): Reconciler {
  const { database, check, sweep, leaseNow, times, onError } = dependencies;

  async function checkDue(): Promise<void> {
    const due = await dueChecks(database.db, leaseNow(), CHECKS_PER_TICK);
    await Promise.all(due.map((key) => check(key)));
  }

  const loops = [createLoop(checkDue, times.tick, onError), createLoop(sweep, times.sweepTick, onError)];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Does work again and again, each time so many milliseconds after the last. */
function createLoop(
  work: () => Promise<unknown>,
  pause: number,
  onError: (error: unknown) => void,
): Reconciler {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = work().catch(onError).finally(schedule);
    }, pause);
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
