import type { Database, UnitOfWork } from "./database.ts";
import { isDatabaseUnavailable, mayBeCausedByOneJob } from "./faults.ts";
import { type QueueLimits, TimedQueue } from "./timed-queue.ts";

/** How {@link inGroups} forms and runs groups. */
export interface GroupOptions<Job, Result> extends QueueLimits {
  /**
   * Runs all jobs of a group together, for example in one transaction. Resolves to one result per
   * job, in their order.
   */
  readonly run: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  /** The most jobs in one group. */
  readonly maxJobs: number;
  /** The size of a job, for example its number of rows; 1 by default. */
  readonly weigh?: (job: Job) => number;
  /** The most weight in one group. A single job may exceed it; it runs alone. */
  readonly maxWeight?: number;
  /** How many groups run at the same time, single-job retries included. */
  readonly maxGroups: number;
  /**
   * Whether one job may have caused this error and the group is rolled back: then each job is
   * retried alone.
   */
  readonly mayBeCausedByOneJob: (error: unknown) => boolean;
}

/** How long a group may wait for further jobs, in milliseconds. */
const GATHERING = 10;

interface Waiting<Job, Result> {
  readonly job: Job;
  /** When it entered the queue, by the process's monotonic clock in milliseconds. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs jobs in groups ("group commit"): jobs that arrive while a group runs form the next group.
 * Under load many jobs share one commit or one query.
 *
 * When a group fails and one of its jobs may be the cause, each of its jobs is retried alone, so
 * that only that job fails. Retries count towards `maxGroups` and go before new groups. A job never
 * starts inside the call that submits it, and its promise settles as soon as its own group has
 * ended.
 *
 * @returns a function that submits a job; it rejects with {@link Overloaded} at once when the queue
 *   is full, and after `maxWait` milliseconds in the queue
 */
export function inGroups<Job, Result>(
  options: GroupOptions<Job, Result>,
): (job: Job) => Promise<Result> {
  const { run, maxJobs, maxWeight = maxJobs, weigh = () => 1, maxGroups } = options;
  const queue = new TimedQueue<Waiting<Job, Result>>(options);
  /** The jobs of failed groups: at most `maxGroups` × `maxJobs`. */
  const retries = new TimedQueue<Waiting<Job, Result>>(options);
  let running = 0;

  function takeGroup(): Waiting<Job, Result>[] {
    if (retries.length > 0) return retries.take(1);
    let weight = 0;
    let count = 0;
    for (const { job } of queue) {
      weight += weigh(job);
      if (count > 0 && (count >= maxJobs || weight > maxWeight)) break;
      count += 1;
    }
    return queue.take(count);
  }

  async function runGroup(group: Waiting<Job, Result>[]): Promise<void> {
    // Another worker may have taken the jobs, or they have waited too long.
    if (group.length === 0) return;
    let results: readonly Result[];
    try {
      results = await run(group.map(({ job }) => job));
    } catch (error) {
      if (group.length === 1 || !options.mayBeCausedByOneJob(error)) return rejectAll(group, error);
      for (const waiting of group) {
        retries.push({ ...waiting, since: performance.now() });
        schedule();
      }
      return;
    }
    if (results.length !== group.length)
      return rejectAll(group, new Error("each job must have one result"));
    for (const [index, result] of results.entries()) group[index]?.resolve(result);
  }

  /**
   * Waits until an iteration of the event loop has brought no further job, for {@link GATHERING} at
   * most. Node accepts one connection per iteration: without this, each of a hundred new shoppers
   * would wait for the commits of all before them.
   */
  async function gather(): Promise<void> {
    const until = performance.now() + GATHERING;
    let before: number;
    do {
      before = queue.length;
      await new Promise(setImmediate);
    } while (queue.length > before && queue.length < maxJobs && performance.now() < until);
  }

  async function runAll(): Promise<void> {
    do {
      if (retries.length === 0) await gather();
      await runGroup(takeGroup());
    } while (queue.length > 0 || retries.length > 0);
    running -= 1;
  }

  /** Called for each new job or retry: starts another worker if one is free. */
  function schedule(): void {
    if (running >= maxGroups) return;
    running += 1;
    void runAll();
  }

  return (job) =>
    new Promise((resolve, reject) => {
      queue.checkRoom();
      queue.push({ job, since: performance.now(), resolve, reject });
      schedule();
    });
}

function rejectAll(
  waiting: readonly { readonly reject: (error: unknown) => void }[],
  error: unknown,
): void {
  for (const { reject } of waiting) reject(error);
}

/**
 * Sized for ten thousand shoppers who order at the same moment. Their orders are committed in about
 * three seconds; the page's timeout is twenty.
 */
const COMMIT_QUEUE: QueueLimits = { maxWaiting: 10_000, maxWait: 10_000 };
/** The default for the most jobs in one transaction. */
const MAX_COMMITTED = 200;

/**
 * Group commit: jobs that arrive at about the same time share one transaction. See
 * {@link inGroups}.
 *
 * @param work runs the jobs of one group; resolves to one result per job, in their order
 */
export function commitInGroups<Job, Result>(
  database: Database,
  work: (unit: UnitOfWork, jobs: readonly Job[]) => Promise<readonly Result[]>,
  limits: Partial<
    Pick<GroupOptions<Job, Result>, "maxJobs" | "weigh" | "maxWeight" | keyof QueueLimits>
  > = {},
): (job: Job) => Promise<Result> {
  return inGroups({
    run: (jobs) => database.inTransaction((unit) => work(unit, jobs)),
    maxJobs: MAX_COMMITTED,
    ...COMMIT_QUEUE,
    ...limits,
    maxGroups: database.writers,
    mayBeCausedByOneJob,
  });
}

/** The most keys in one query of {@link readInGroups}. */
const MAX_KEYS = 128;
/** How many of its queries run at the same time. */
const MAX_QUERIES = 4;
/** Sized for twice the followers of the largest shop in the benchmarks. */
const READ_QUEUE: QueueLimits = { maxWaiting: 20_000, maxWait: 15_000 };

/**
 * Reads by key: keys that are requested at about the same time share one query. See
 * {@link inGroups}.
 *
 * @returns a function that resolves to the value of a key, or `undefined` when there is none
 */
export function readInGroups<Key, Found>(
  readMany: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
  limits: Partial<QueueLimits> = {},
): (key: Key) => Promise<Found | undefined> {
  return inGroups<Key, Found | undefined>({
    async run(keys) {
      const found = await readMany(keys);
      return keys.map((key) => found.get(key));
    },
    maxJobs: MAX_KEYS,
    ...READ_QUEUE,
    ...limits,
    maxGroups: MAX_QUERIES,
    // Reads take no locks, so a timeout is never the fault of one key.
    mayBeCausedByOneJob: (error) => !isDatabaseUnavailable(error),
  });
}

/**
 * Pads the keys of an `in (…)` clause to the next power of two by repeating the last key, so that
 * few different statements are prepared. Example: `["a", "b", "c"]` → `["a", "b", "c", "c"]`.
 */
export function padded<Key>(keys: readonly Key[]): Key[] {
  const [last] = keys.slice(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array<Key>(length - keys.length).fill(last)];
}
