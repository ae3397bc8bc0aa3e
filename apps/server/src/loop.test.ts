import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLoop } from "./loop.ts";

const PAUSE = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the work is done again after each pause, which begins when the last one has ended", async () => {
  const begun: number[] = [];
  const start = Date.now();
  const loop = createLoop(
    async () => {
      begun.push(Date.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    PAUSE,
    () => {},
  );
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(begun).toEqual([]);
  loop.start();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(begun).toEqual([2_000, 3_500, 5_000]);
});

test("an error is told, and the loop goes on", async () => {
  const errors: unknown[] = [];
  const fault = new Error("it fails");
  const loop = createLoop(
    () => Promise.reject(fault),
    PAUSE,
    (error) => errors.push(error),
  );
  loop.start();
  await vi.advanceTimersByTimeAsync(2 * PAUSE);
  expect(errors).toEqual([fault, fault]);
});

test("stopping waits for the work that is under way, and none begins after it", async () => {
  let begun = 0;
  let ended = 0;
  const loop = createLoop(
    async () => {
      begun += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
      ended += 1;
    },
    PAUSE,
    () => {},
  );
  loop.start();
  await vi.advanceTimersByTimeAsync(PAUSE);
  let isStopped = false;
  const stopping = loop.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect([begun, ended, isStopped]).toEqual([1, 0, false]);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  await vi.advanceTimersByTimeAsync(10 * PAUSE);
  expect([begun, ended]).toEqual([1, 1]);
});
