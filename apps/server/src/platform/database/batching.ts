import type { Database, UnitOfWork } from "./database.ts";
import { isDatabaseUnavailable, mayBeCausedByOneJob } from "./faults.ts";
import { type QueueLimits, TimedQueue } from "./timed-queue.ts";

interface BatchOptions<Job, Result> extends QueueLimits {
  /**
   * Runs a batch, for example in one transaction. Resolves to one result per job, in their order.
   */
  readonly run: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  /** The maximum number of jobs in a batch. */
  readonly maxJobs: number;
  /** The size of a job, for example its number of rows; 1 by default. */
  readonly sizeOf?: (job: Job) => number;
  /** The maximum size of a batch. A single larger job runs alone. */
  readonly maxSize?: number;
  /** The number of batches that run at the same time, retries of single jobs included. */
  readonly concurrency: number;
  /**
   * Whether one job may have caused this error, and the batch was rolled back: then each job is
   * retried alone.
   */
  readonly mayBeCausedByOneJob: (error: unknown) => boolean;
}

/** How long a batch may wait for further jobs, in milliseconds. */
const MAX_COLLECT_TIME = 10;

interface QueuedJob<Job, Result> {
  readonly job: Job;
  /** When it entered the queue, by the monotonic clock of the process, in milliseconds. */
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs jobs in batches: jobs that arrive while a batch runs form the next one, so that under load
 * many jobs share one commit or one query.
 *
 * If a batch fails and one of its jobs may be the cause, each job is retried alone, so that only
 * that job fails. Retries count towards `concurrency` and run before new batches. A job never
 * starts inside the call that submits it, and its promise settles when its own batch has ended.
 *
 * @returns a function that submits a job; it rejects with `Overloaded` at once if the queue
 *   is full, and after `maxWait` milliseconds in the queue
 */
export function createBatcher<Job, Result>(
  options: BatchOptions<Job, Result>,
): (job: Job) => Promise<Result> {
  const { run, maxJobs, maxSize = maxJobs, sizeOf = () => 1, concurrency } = options;
  const queue = new TimedQueue<QueuedJob<Job, Result>>(options);
  /** The jobs of failed batches: at most `concurrency` × `maxJobs`. */
  const retries = new TimedQueue<QueuedJob<Job, Result>>(options);
  let running = 0;

  function takeBatch(): QueuedJob<Job, Result>[] {
    if (retries.length > 0) return retries.take(1);
    let size = 0;
    let count = 0;
    for (const { job } of queue) {
      size += sizeOf(job);
      if (count > 0 && (count >= maxJobs || size > maxSize)) break;
      count += 1;
    }
    return queue.take(count);
  }

  async function runBatch(batch: QueuedJob<Job, Result>[]): Promise<void> {
    // Another worker may have taken the jobs, or their wait has timed out.
    if (batch.length === 0) return;
    let results: readonly Result[];
    try {
      results = await run(batch.map(({ job }) => job));
    } catch (error) {
      if (batch.length === 1 || !options.mayBeCausedByOneJob(error)) return rejectAll(batch, error);
      for (const queued of batch) {
        retries.push({ ...queued, since: performance.now() });
        schedule();
      }
      return;
    }
    if (results.length !== batch.length)
      return rejectAll(batch, new Error(`${results.length} results for ${batch.length} jobs`));
    for (const [index, result] of results.entries()) batch[index]?.resolve(result);
  }

  /**
   * Waits until an iteration of the event loop adds no job, for {@link MAX_COLLECT_TIME} at most.
   * Node accepts one connection per iteration: without this, each of a hundred new customers would
   * wait for the commits of all before them.
   */
  async function collect(): Promise<void> {
    const until = performance.now() + MAX_COLLECT_TIME;
    let before: number;
    do {
      before = queue.length;
      await new Promise(setImmediate);
    } while (queue.length > before && queue.length < maxJobs && performance.now() < until);
  }

  async function runAll(): Promise<void> {
    do {
      if (retries.length === 0) await collect();
      await runBatch(takeBatch());
    } while (queue.length > 0 || retries.length > 0);
    running -= 1;
  }

  /** Called for each new job or retry: starts another worker if one is free. */
  function schedule(): void {
    if (running >= concurrency) return;
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
  jobs: readonly { readonly reject: (error: unknown) => void }[],
  error: unknown,
): void {
  for (const { reject } of jobs) reject(error);
}

/**
 * Sized for ten thousand customers who order at the same moment. Their orders are committed in
 * about three seconds; the page's timeout is twenty.
 */
const COMMIT_QUEUE: QueueLimits = { maxWaiting: 10_000, maxWait: 10_000 };
/** The default maximum of jobs in one transaction. */
const MAX_COMMITTED = 200;

/**
 * Group commit: jobs that arrive at about the same time share one transaction. See
 * {@link createBatcher}.
 *
 * @param work runs the jobs of one batch; resolves to one result per job, in their order
 */
export function groupCommit<Job, Result>(
  database: Database,
  work: (unit: UnitOfWork, jobs: readonly Job[]) => Promise<readonly Result[]>,
  limits: Partial<
    Pick<BatchOptions<Job, Result>, "maxJobs" | "sizeOf" | "maxSize" | keyof QueueLimits>
  > = {},
): (job: Job) => Promise<Result> {
  return createBatcher({
    run: (jobs) => database.inTransaction((unit) => work(unit, jobs)),
    maxJobs: MAX_COMMITTED,
    ...COMMIT_QUEUE,
    ...limits,
    concurrency: database.writers,
    mayBeCausedByOneJob,
  });
}

/** The maximum number of keys in one query of {@link batchReads}. */
const MAX_KEYS = 128;
const MAX_QUERIES = 4;
/** Sized for twice the subscribers of the largest shop in the benchmarks. */
const READ_QUEUE: QueueLimits = { maxWaiting: 20_000, maxWait: 15_000 };

/**
 * Batches reads: keys that are requested at about the same time share one query. See
 * {@link createBatcher}.
 *
 * @returns a function that resolves to the value of a key; `undefined` if there is none
 */
export function batchReads<Key, Found>(
  readMany: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
  limits: Partial<QueueLimits> = {},
): (key: Key) => Promise<Found | undefined> {
  return createBatcher<Key, Found | undefined>({
    async run(keys) {
      const found = await readMany(keys);
      return keys.map((key) => found.get(key));
    },
    maxJobs: MAX_KEYS,
    ...READ_QUEUE,
    ...limits,
    concurrency: MAX_QUERIES,
    // Reads take no locks, so a timeout is never the fault of one key.
    mayBeCausedByOneJob: (error) => !isDatabaseUnavailable(error),
  });
}
