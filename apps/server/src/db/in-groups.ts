import type { Database, UnitOfWork } from "./database.ts";
import { isDatabaseAway, mayBeOneJobs } from "./faults.ts";

/** How {@link inGroups} does its jobs. */
export interface GroupOptions<Job, Result> {
  /** Does all jobs at once, such as in one transaction, and answers one result for each, in their order. */
  readonly run: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  readonly maxJobs: number;
  /** How much of a group a job takes up, such as its number of rows, where they are not alike. */
  readonly weigh?: (job: Job) => number;
  readonly maxWeight?: number;
  /** How many groups may be under way at once. */
  readonly maxGroups: number;
  /** Whether an error may be the fault of one job, and all is known to be undone: then each is tried by itself. */
  readonly mayBeOneJobs: (error: unknown) => boolean;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Who has waited this long, in milliseconds, when a group fails for a reason that is no single job's, fails with it. */
const PATIENCE = 5_000;

/**
 * Does together what arrives together: while one group is under way, the next one gathers. The more there is to do,
 * the less of a trip to the disk or to the database each job has to pay for.
 *
 * A group that one job may have spoilt is tried again job by job, so that a bad one cannot take others with it. A job
 * begins after it was asked for, and is answered when its own group is done.
 */
export function inGroups<Job, Result>(options: GroupOptions<Job, Result>): (job: Job) => Promise<Result> {
  const { run, maxJobs, maxWeight = maxJobs, weigh = () => 1, maxGroups } = options;
  const queue: Waiting<Job, Result>[] = [];
  let running = 0;

  function takeGroup(): Waiting<Job, Result>[] {
    let weight = 0;
    let count = 0;
    for (const { job } of queue) {
      weight += weigh(job);
      if (count > 0 && (count >= maxJobs || weight > maxWeight)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  /** Those at the head of the queue whose patience is at its end. */
  function takeImpatient(): Waiting<Job, Result>[] {
    const patient = queue.findIndex(({ since }) => performance.now() - since < PATIENCE);
    return queue.splice(0, patient < 0 ? queue.length : patient);
  }

  async function runGroup(group: Waiting<Job, Result>[]): Promise<void> {
    let results: readonly Result[];
    try {
      results = await run(group.map(({ job }) => job));
    } catch (error) {
      if (!options.mayBeOneJobs(error)) return rejectAll([...group, ...takeImpatient()], error);
      if (group.length === 1) return rejectAll(group, error);
      await Promise.all(group.map((waiting) => runGroup([waiting])));
      return;
    }
    if (results.length !== group.length) return rejectAll(group, new Error("each job must have one result"));
    for (const [index, result] of results.entries()) group[index]?.resolve(result);
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) await runGroup(takeGroup());
    running -= 1;
  }

  return (job) =>
    new Promise((resolve, reject) => {
      queue.push({ job, since: performance.now(), resolve, reject });
      if (running >= maxGroups) return;
      running += 1;
      setImmediate(runAll);
    });
}

function rejectAll(waiting: readonly { readonly reject: (error: unknown) => void }[], error: unknown): void {
  for (const { reject } of waiting) reject(error);
}

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
  limits: Partial<Pick<GroupOptions<Job, Result>, "maxJobs" | "weigh" | "maxWeight">> = {},
): (job: Job) => Promise<Result> {
  return inGroups({
    run: (jobs) => database.inTransaction((unit) => work(unit, jobs)),
    maxJobs: MAX_COMMITTED,
    ...limits,
    maxGroups: database.writers,
    mayBeOneJobs,
  });
}

/** The most keys that one query of {@link readInGroups} asks for. */
const MAX_KEYS = 128;
/** How many of its queries may be under way at once. */
const MAX_READINGS = 4;

/** Reads by key, with one query for all keys that are asked for at about the same time. */
export function readInGroups<Key, Found>(
  readMany: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (key: Key) => Promise<Found | undefined> {
  return inGroups<Key, Found | undefined>({
    async run(keys) {
      const found = await readMany(keys);
      return keys.map((key) => found.get(key));
    },
    maxJobs: MAX_KEYS,
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
