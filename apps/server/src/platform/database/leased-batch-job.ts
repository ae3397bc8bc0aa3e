import { setTimeout as pause } from "node:timers/promises";
import { createPeriodicWorker, type Worker } from "../scheduling/periodic-worker.ts";
import type { Database } from "./database.ts";
import { MAX_CLOCK_SKEW, takeLease } from "./leases.ts";

/** In milliseconds. */
export interface JobTimes {
  /** How often a process checks whether a run is due. */
  readonly checkInterval: number;
  /** From the start of a run to the next one; a longer run is continued by the next one. */
  readonly runInterval: number;
  /** The delay after each task, which leaves time for requests. */
  readonly taskDelay: number;
}

/**
 * `skipped`: there was nothing to do. `undecided`: it could not be done now, perhaps for a reason
 * outside the task.
 */
type TaskOutcome = "done" | "skipped" | "undecided";

/** One run over many tasks. */
interface Run<Task> {
  /**
   * Reads the tasks in a fixed order, after the last one of an earlier run that was not completed.
   */
  tasks(after: Task | undefined): AsyncIterable<Task> | Iterable<Task>;
  /** An error counts as `undecided`. */
  handle(task: Task): Promise<TaskOutcome>;
  /** @param isComplete whether no task was left */
  ended(isComplete: boolean): Promise<void>;
}

interface Options<Task> {
  readonly lease: string;
  readonly database: Pick<Database, "db" | "now">;
  readonly times: JobTimes;
  /** Whether this process may start a run now. */
  readonly mayBegin: () => boolean;
  /** @param now the start of the run, in epoch milliseconds */
  readonly begin: (now: number) => Promise<Run<Task>>;
  readonly onError: (error: unknown) => void;
}

/** A run ends after this many consecutive undecided tasks. */
const MAX_UNDECIDED = 5;

/**
 * Runs over many tasks repeatedly, in one process at a time. A run that is not completed is
 * continued after its last task, so tasks that always fail do not block the others.
 */
export function createLeasedBatchJob<Task>({
  lease,
  database,
  times,
  mayBegin,
  begin,
  onError,
}: Options<Task>): Worker {
  const { db } = database;
  const maxDuration = times.runInterval + MAX_CLOCK_SKEW;
  let last: Task | undefined;

  async function runIfDue(stopping: AbortSignal): Promise<void> {
    if (!mayBegin()) return;
    const now = database.now();
    const until = now + times.runInterval;
    if (!(await takeLease(db, lease, { now, until, maxDuration }))) return;
    const run = await begin(now);
    await run.ended(await handleTasks(run, until, stopping));
  }

  /** @returns whether no task is left */
  async function handleTasks(
    { tasks, handle }: Run<Task>,
    until: number,
    stopping: AbortSignal,
  ): Promise<boolean> {
    let undecided = 0;
    for await (const task of tasks(last)) {
      if (stopping.aborted || database.now() >= until) return false;
      last = task;
      const outcome = await handle(task).catch((error) => {
        onError(error);
        return "undecided";
      });
      if (outcome === "skipped") continue;
      undecided = outcome === "undecided" ? undecided + 1 : 0;
      if (undecided === MAX_UNDECIDED) return false;
      await pause(times.taskDelay, undefined, { ref: false, signal: stopping }).catch(() => {});
    }
    last = undefined;
    return true;
  }

  return createPeriodicWorker(runIfDue, times.checkInterval, onError);
}
