import { setTimeout as pause } from "node:timers/promises";
import { backoff } from "../scheduling/clock.ts";
import { createPeriodicWorker, type Worker } from "../scheduling/periodic-worker.ts";
import type { Database } from "./database.ts";
import { MAX_CLOCK_SKEW, setLeaseEnd, takeLease } from "./leases.ts";

/** In milliseconds. */
export interface JobTimes {
  /** How often a process checks whether a run is due. */
  readonly checkInterval: number;
  /** From the start of a run to the next one; a longer run is continued by the next one. */
  readonly runInterval: number;
  /** The maximum backoff after failed runs; it doubles with each. */
  readonly maxBackoff: number;
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

/** A run yields after this many consecutive undecided tasks. */
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
  const maxDuration = Math.max(times.runInterval, times.maxBackoff) + MAX_CLOCK_SKEW;
  let last: Task | undefined;
  let failures = 0;

  async function runIfDue(stopping: AbortSignal): Promise<void> {
    if (!mayBegin()) return;
    const now = database.now();
    const until = now + times.runInterval;
    if (!(await takeLease(db, lease, { now, until, maxDuration }))) return;
    try {
      const run = await begin(now);
      const end = await handleTasks(run, until, stopping);
      await run.ended(end === "complete");
      if (end !== "yielded") {
        failures = 0;
        return;
      }
    } catch (error) {
      onError(error);
    }
    failures += 1;
    const wait = backoff(failures, times.runInterval, times.maxBackoff);
    await setLeaseEnd(db, lease, { from: until, until: now + wait });
  }

  async function handleTasks(
    { tasks, handle }: Run<Task>,
    until: number,
    stopping: AbortSignal,
  ): Promise<"complete" | "interrupted" | "yielded"> {
    let undecided = 0;
    for await (const task of tasks(last)) {
      if (stopping.aborted || database.now() >= until) return "interrupted";
      last = task;
      const outcome = await handle(task).catch((error) => {
        onError(error);
        return "undecided";
      });
      if (outcome === "skipped") continue;
      undecided = outcome === "undecided" ? undecided + 1 : 0;
      if (undecided === MAX_UNDECIDED) return "yielded";
      await pause(times.taskDelay, undefined, { ref: false, signal: stopping }).catch(() => {});
    }
    last = undefined;
    return "complete";
  }

  return createPeriodicWorker(runIfDue, times.checkInterval, onError);
}
