import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPeriodicWorker } from "./periodic-worker.ts";

const INTERVAL = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the interval starts at the end of the previous run", async () => {
  const begun: number[] = [];
  const start = Date.now();
  const worker = createPeriodicWorker(
    async () => {
      begun.push(Date.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    INTERVAL,
    () => {},
  );
  await vi.advanceTimersByTimeAsync(INTERVAL);
  expect(begun).toEqual([]);
  worker.start();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(begun).toEqual([2_000, 3_500, 5_000]);
});

test("an error is reported, and the worker continues", async () => {
  const errors: unknown[] = [];
  const fault = new Error("it fails");
  const worker = createPeriodicWorker(
    () => Promise.reject(fault),
    INTERVAL,
    (error) => errors.push(error),
  );
  worker.start();
  await vi.advanceTimersByTimeAsync(2 * INTERVAL);
  expect(errors).toEqual([fault, fault]);
});

test("stop waits for the current run, and no other one starts", async () => {
  let begun = 0;
  let ended = 0;
  const worker = createPeriodicWorker(
    async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
      ended += 1;
    },
    INTERVAL,
    () => {},
  );
  worker.start();
  await vi.advanceTimersByTimeAsync(INTERVAL);
  let isStopped = false;
  const stopping = worker.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect([begun, ended, isStopped]).toEqual([1, 0, false]);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  await vi.advanceTimersByTimeAsync(10 * INTERVAL);
  expect([begun, ended]).toEqual([1, 1]);
});
