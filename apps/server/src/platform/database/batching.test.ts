import { expect, test, vi } from "vitest";
import { sqlite, useDatabase } from "../../../../../test/harness/databases.ts";
import { batchReads, createBatcher, groupCommit } from "./batching.ts";
import { Overloaded } from "./faults.ts";

const shop = useDatabase(sqlite);

function recording(
  run: (jobs: readonly number[]) => Promise<readonly number[]>,
  { concurrency = 1, maxWaiting = 100 } = {},
) {
  const batches: number[][] = [];
  const submit = createBatcher<number, number>({
    run: (jobs) => {
      batches.push([...jobs]);
      return run(jobs);
    },
    sizeOf: (job) => job,
    maxJobs: 3,
    maxSize: 10,
    concurrency,
    maxWaiting,
    maxWait: 5_000,
    mayBeCausedByOneJob: (error) => !(error instanceof RangeError),
  });
  return { batches, submit };
}

test("jobs that arrive together run in one batch, within its limits, and each gets its own result", async () => {
  const { batches, submit } = recording(async (jobs) => jobs.map((job) => job * 2));
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(submit))).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2, 3], [4, 5], [6]]);
});

test("a job of the next iteration of the event loop is in the same batch, and a later one is not", async () => {
  const { batches, submit } = recording(async (jobs) => jobs);
  const second = new Promise(setImmediate).then(() => submit(2));
  await Promise.all([submit(1), second]);
  await submit(3);
  expect(batches).toEqual([[1, 2], [3]]);
});

test("a job larger than the maximum size runs alone", async () => {
  const { batches, submit } = recording(async (jobs) => jobs);
  await Promise.all([50, 1].map(submit));
  expect(batches).toEqual([[50], [1]]);
});

test("a batch may have the maximum size, and no more", async () => {
  const { batches, submit } = recording(async (jobs) => jobs);
  await Promise.all([4, 6, 4, 7].map(submit));
  expect(batches).toEqual([[4, 6], [4], [7]]);
});

test("one batch runs at a time", async () => {
  let running = 0;
  const { submit } = recording(async (jobs) => {
    running += 1;
    expect(running).toBe(1);
    await new Promise(setImmediate);
    running -= 1;
    return jobs;
  });
  await Promise.all(Array.from({ length: 20 }, (_, index) => submit(index % 4)));
});

test("at most `concurrency` batches run at the same time", async () => {
  let running = 0;
  let most = 0;
  const { submit } = recording(
    async (jobs) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return jobs;
    },
    { concurrency: 2 },
  );
  await Promise.all(Array.from({ length: 20 }, (_, index) => submit(index % 4)));
  expect(most).toBe(2);
});

test("a batch that no single job made fail is not retried: every job fails once", async () => {
  const { batches, submit } = recording(async () => {
    throw new RangeError("the connection was lost");
  });
  const results = await Promise.allSettled([1, 2, 3].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test("when one job makes its batch fail, only that job fails", async () => {
  const { batches, submit } = recording(async (jobs) => {
    if (jobs.includes(2)) throw new Error("bad");
    return jobs;
  });
  const results = await Promise.allSettled([1, 2, 3].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("jobs of a failed batch do not wait for the retry of a job that is slow to fail", async () => {
  const slow = Promise.withResolvers<void>();
  const { submit } = recording(
    async (jobs) => {
      if (jobs.length > 1) throw new Error("bad");
      if (jobs.includes(1)) await slow.promise;
      return jobs;
    },
    { concurrency: 2 },
  );
  const [first, ...others] = [1, 2, 3].map(submit);
  expect(await Promise.all(others)).toEqual([2, 3]);
  slow.resolve();
  expect(await first).toBe(1);
});

test("retries of single jobs count towards `concurrency`", async () => {
  let running = 0;
  let most = 0;
  const { submit } = recording(
    async (jobs) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      if (jobs.includes(2)) throw new Error("bad");
      return jobs;
    },
    { concurrency: 2 },
  );
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => submit(index % 3)),
  );
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(10);
  expect(most).toBe(2);
});

test("a job is rejected if the queue is full, and the waiting jobs run", async () => {
  const { submit } = recording(async (jobs) => jobs, { maxWaiting: 2 });
  const results = await Promise.allSettled([1, 2, 3].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(results[2]).toMatchObject({ reason: expect.any(Overloaded) });
  expect(await submit(4)).toBe(4);
});

test("a job is rejected after `maxWait` while an earlier batch still runs, and later jobs run", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const first = Promise.withResolvers<readonly number[]>();
  const run = vi.fn(async (jobs: readonly number[]) => jobs);
  run.mockReturnValueOnce(first.promise);
  const { submit } = recording(run);
  const begun = submit(1);
  await new Promise(setImmediate);
  const expired = submit(2);
  vi.advanceTimersByTime(4_000);
  const later = submit(3);
  vi.advanceTimersByTime(1_000);
  await expect(expired).rejects.toThrow(Overloaded);
  first.resolve([1]);
  expect(await Promise.all([begun, later])).toEqual([1, 3]);
  expect(run.mock.calls).toEqual([[[1]], [[3]]]);
  vi.useRealTimers();
});

test("the jobs of a failed batch have another `maxWait`, and only those that exceed it are rejected", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  const batch = Promise.withResolvers<readonly number[]>();
  const retry = Promise.withResolvers<readonly number[]>();
  const run = vi.fn(async (jobs: readonly number[]) => jobs);
  run.mockReturnValueOnce(batch.promise).mockReturnValueOnce(retry.promise);
  const { submit } = recording(run);
  const outcomes: string[] = [];
  const note = (job: number) =>
    submit(job).then(
      () => outcomes.push(`${job} done`),
      (error) => outcomes.push(`${job} ${error instanceof Overloaded ? "overloaded" : error}`),
    );
  const all = [1, 2].map(note);
  await new Promise(setImmediate);
  const advance = async (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    await new Promise(setImmediate);
  };
  await advance(1_000);
  all.push(note(3));
  await advance(3_000);
  batch.reject(new Error("bad"));
  await advance(0);
  await advance(1_999);
  expect(outcomes).toEqual([]);
  await advance(1);
  expect(outcomes, "3 has waited since 1 s").toEqual(["3 overloaded"]);
  await advance(2_999);
  expect(outcomes).toHaveLength(1);
  await advance(1);
  expect(outcomes, "2 has waited since 4 s").toEqual(["3 overloaded", "2 overloaded"]);
  retry.resolve([1]);
  await Promise.all(all);
  expect(outcomes.at(-1)).toBe("1 done");
  expect(vi.getTimerCount(), "no job waits").toBe(0);
  vi.useRealTimers();
});

test("jobs of a batch with too few results fail and are not retried", async () => {
  const { batches, submit } = recording(async () => [1]);
  const results = await Promise.allSettled([1, 2].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(batches).toEqual([[1, 2]]);
});

test("after a batch has failed, later jobs run", async () => {
  const run = vi.fn(async (jobs: readonly number[]) => jobs);
  run.mockRejectedValueOnce(new Error("disk full"));
  const { submit } = recording(run);
  await expect(submit(1)).rejects.toThrow("disk full");
  expect(await submit(2)).toBe(2);
});

test("ten thousand jobs that arrive at once are all accepted", async () => {
  const commit = groupCommit(shop.database, async (_unit, jobs: readonly number[]) => jobs);
  const read = batchReads(
    async (keys: readonly number[]) => new Map(keys.map((key) => [key, key])),
  );
  const customers = Array.from({ length: 10_000 }, (_, index) => index);
  expect(await Promise.all(customers.map(commit))).toEqual(customers);
  expect(await Promise.all(customers.map(read))).toEqual(customers);
});

test("keys that are requested together are read with one query, and each caller gets its own value", async () => {
  const asked: string[][] = [];
  const read = batchReads(async (keys: readonly string[]) => {
    asked.push([...keys]);
    return new Map(keys.filter((key) => key !== "none").map((key) => [key, key.toUpperCase()]));
  });
  expect(await Promise.all(["a", "none", "b", "a"].map(read))).toEqual(["A", undefined, "B", "A"]);
  expect(asked).toEqual([["a", "none", "b", "a"]]);
});
