import type { Database, UnitOfWork } from "./database.ts";
import { isDatabaseAway, mayBeOneJobs, Overloaded } from "./faults.ts";

/** How much may wait in memory, and for how long. What is beyond it is refused with {@link Overloaded}. */
export interface QueueLimits {
  /** The most jobs that wait to be begun. */
  readonly maxWaiting: number;
  /** How long a job waits to be begun, in milliseconds. */
  readonly maxWait: number;
}

/** How {@link inGroups} does its jobs. */
export interface GroupOptions<Job, Result> extends QueueLimits {
  /** Does all jobs at once, such as in one transaction, and answers one result for each, in their order. */
  readonly run: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  readonly maxJobs: number;
  /** How much of a group a job takes up, such as its number of rows, where they are not alike. */
  readonly weigh?: (job: Job) => number;
  readonly maxWeight?: number;
  /** How many groups may be under way at once, those of one job that are tried again included. */
  readonly maxGroups: number;
  /** Whether an error may be the fault of one job, and all is known to be undone: then each is tried by itself. */
  readonly mayBeOneJobs: (error: unknown) => boolean;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  /** When it began to wait, on the process's own clock, in milliseconds. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does together what arrives together: while one group is under way, the next one gathers. The more there is to do,
 * the less of a trip to the disk or to the database each job has to pay for.
 *
 * A group that one job may have spoilt is tried again job by job, so that a bad one cannot take others with it; the
 * retries take the places of groups, and go before new ones. No job starts within the call that submits it; each is
 * answered when its own group is done.
 *
 * @returns submits a job; it fails with {@link Overloaded} when too many wait, or when it has waited too long
 */
export function inGroups<Job, Result>(options: GroupOptions<Job, Result>): (job: Job) => Promise<Result> {
  const { run, maxJobs, maxWeight = maxJobs, weigh = () => 1, maxGroups, maxWaiting, maxWait } = options;
  const queue: Waiting<Job, Result>[] = [];
  /** The jobs of groups that failed; there are never more than those of `maxGroups` groups. */
  const retries: Waiting<Job, Result>[] = [];
  let running = 0;
  let expiring = false;

  function takeGroup(): Waiting<Job, Result>[] {
    if (retries.length > 0) return retries.splice(0, 1);
    let weight = 0;
    let count = 0;
    for (const { job } of queue) {
      weight += weigh(job);
      if (count > 0 && (count >= maxJobs || weight > maxWeight)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function runGroup(group: Waiting<Job, Result>[]): Promise<void> {
    let results: readonly Result[];
    try {
      results = await run(group.map(({ job }) => job));
    } catch (error) {
      if (group.length === 1 || !options.mayBeOneJobs(error)) return rejectAll(group, error);
      for (const waiting of group) {
        retries.push({ ...waiting, since: performance.now() });
        attend();
      }
      return;
    }
    if (results.length !== group.length) return rejectAll(group, new Error("each job must have one result"));
    for (const [index, result] of results.entries()) group[index]?.resolve(result);
  }

  async function runAll(): Promise<void> {
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) await runGroup(group);
    running -= 1;
  }

  /** Sees to it that a job that has just begun to wait is begun, or rejected in time. */
  function attend(): void {
    if (!expiring) expireLater();
    if (running >= maxGroups) return;
    running += 1;
    setImmediate(runAll);
  }

  /** Rejects what has waited too long. One timer stands for all who wait, and is left alone while they are in time. */
  function expire(): void {
    for (const waiting of [queue, retries]) {
      const inTime = waiting.findIndex(({ since }) => performance.now() - since < maxWait);
      const expired = waiting.splice(0, inTime < 0 ? waiting.length : inTime);
      if (expired.length > 0) rejectAll(expired, new Overloaded(`waited for ${maxWait} ms`));
    }
    expireLater();
  }

  function expireLater(): void {
    const oldest = Math.min(queue[0]?.since ?? Infinity, retries[0]?.since ?? Infinity);
    expiring = oldest < Infinity;
    if (expiring) setTimeout(expire, Math.max(1, oldest + maxWait - performance.now())).unref();
  }

  return (job) =>
    new Promise((resolve, reject) => {
      if (queue.length >= maxWaiting) return reject(new Overloaded(`${maxWaiting} wait already`));
      queue.push({ job, since: performance.now(), resolve, reject });
      attend();
    });
}

function rejectAll(waiting: readonly { readonly reject: (error: unknown) => void }[], error: unknown): void {
  for (const { reject } of waiting) reject(error);
}

/**
 * The most jobs that wait for transactions, and for how long: ten thousand shoppers may order at the same moment, which
 * takes some three seconds, and their pages wait for twenty.
 */
const COMMIT_QUEUE: QueueLimits = { maxWaiting: 10_000, maxWait: 10_000 };
/** The most jobs of one transaction of {@link commitInGroups}, unless it is told otherwise. */
const MAX_COMMITTED = 50;

/**
 * Does jobs in one transaction with all that arrive at about the same time.
 *
 * @param work answers one result for each job, in their order
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
    mayBeOneJobs,
  });
}

/** The most keys that one query of {@link readInGroups} asks for. */
const MAX_KEYS = 128;
/** How many of its queries may be under way at once. */
const MAX_READINGS = 4;
/** The most keys that wait to be read, and for how long: twice the followers of the largest shop that is measured. */
const READ_QUEUE: QueueLimits = { maxWaiting: 20_000, maxWait: 15_000 };

/** Reads by key, with one query for all keys that are asked for at about the same time. */
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
    maxGroups: MAX_READINGS,
    // What is read waits for nobody: where it takes too long, each by itself would.
    mayBeOneJobs: (error) => !isDatabaseAway(error),
  });
}

/**
 * The keys for an `in (…)` of a query that many groups ask: as many as a power of two, with the last one repeated, so
 * that few statements have to be prepared.
 */
export function padded<Key>(keys: readonly Key[]): Key[] {
  const [last] = keys.slice(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array<Key>(length - keys.length).fill(last)];
}
