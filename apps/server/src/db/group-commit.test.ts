import { expect, test, vi } from "vitest";
import { groupCommit } from "./group-commit.ts";

function recording(commit: (jobs: readonly number[]) => Promise<readonly number[]>, maxGroups = 1) {
  const groups: number[][] = [];
  const submit = groupCommit<number, number>({
    commit: (jobs) => {
      groups.push([...jobs]);
      return commit(jobs);
    },
    weigh: (job) => job,
    maxJobs: 3,
    maxWeight: 10,
    maxGroups,
    mayBeOneJobs: (error) => !(error instanceof RangeError),
  });
  return { groups, submit };
}

test("what arrives together is committed together, within the limits, and each gets its own answer", async () => {
  const { groups, submit } = recording(async (jobs) => jobs.map((job) => job * 2));
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(submit))).toEqual([2, 4, 6, 8, 10, 12]);
  expect(groups).toEqual([[1, 2, 3], [4, 5], [6]]);
});

test("a job that is too heavy for any group goes alone", async () => {
  const { groups, submit } = recording(async (jobs) => jobs);
  await Promise.all([50, 1].map(submit));
  expect(groups).toEqual([[50], [1]]);
});

test("one commit runs at a time", async () => {
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

test("no more commits run at once than may", async () => {
  let running = 0;
  let most = 0;
  const { submit } = recording(async (jobs) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return jobs;
  }, 2);
  await Promise.all(Array.from({ length: 20 }, (_, index) => submit(index % 4)));
  expect(most).toBe(2);
});

test("a group whose end is not known is not tried again: each job fails once", async () => {
  const { groups, submit } = recording(async () => {
    throw new RangeError("the connection was lost");
  });
  const results = await Promise.allSettled([1, 2, 3].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(groups).toEqual([[1, 2, 3]]);
});

test("a bad job fails alone", async () => {
  const { groups, submit } = recording(async (jobs) => {
    if (jobs.includes(2)) throw new Error("bad");
    return jobs;
  });
  const results = await Promise.allSettled([1, 2, 3].map(submit));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("work goes on after a fault", async () => {
  const commit = vi.fn(async (jobs: readonly number[]) => jobs);
  commit.mockRejectedValueOnce(new Error("disk full"));
  const { submit } = recording(commit);
  await expect(submit(1)).rejects.toThrow("disk full");
  expect(await submit(2)).toBe(2);
});
