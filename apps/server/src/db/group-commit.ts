/** What a {@link groupCommit} does with its jobs. */
export interface GroupCommitOptions<Job, Result> {
  /** Stores all jobs in one transaction and answers one result for each, in their order. */
  readonly commit: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  /** How much of a group a job takes up, such as its number of rows. */
  readonly weigh: (job: Job) => number;
  readonly maxJobs: number;
  readonly maxWeight: number;
  /** How many groups may be under way at once. */
  readonly maxGroups: number;
  /** Whether an error may be the fault of one job, and all is known to be undone: then each is tried by itself. */
  readonly mayBeOneJobs: (error: unknown) => boolean;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits together what arrives together: while one group is being written to the disk, the next one gathers.
 *
 * A group that one job may have spoilt is retried job by job, so that a bad one cannot take others with it. Each
 * answer comes after its own commit.
 */
export function groupCommit<Job, Result>(
  options: GroupCommitOptions<Job, Result>,
): (job: Job) => Promise<Result> {
  const queue: Waiting<Job, Result>[] = [];
  let committing = 0;

  function takeGroup(): Waiting<Job, Result>[] {
    let weight = 0;
    let count = 0;
    for (const { job } of queue) {
      weight += options.weigh(job);
      if (count > 0 && (count >= options.maxJobs || weight > options.maxWeight)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function commitGroup(group: Waiting<Job, Result>[]): Promise<void> {
    let results: readonly Result[];
    try {
      results = await options.commit(group.map(({ job }) => job));
    } catch (error) {
      if (group.length === 1 || !options.mayBeOneJobs(error)) {
        for (const { reject } of group) reject(error);
      } else {
        for (const waiting of group) await commitGroup([waiting]);
      }
      return;
    }
    for (const [index, result] of results.entries()) group[index]?.resolve(result);
  }

  async function commitAll(): Promise<void> {
    while (queue.length > 0) await commitGroup(takeGroup());
    committing -= 1;
  }

  return (job) =>
    new Promise((resolve, reject) => {
      queue.push({ job, resolve, reject });
      if (committing >= options.maxGroups) return;
      committing += 1;
      setImmediate(commitAll);
    });
}
