import { afterEach, expect, test, vi } from "vitest";
import { withTimeout } from "./clock.ts";

afterEach(() => void vi.useRealTimers());

test("work that ends in time settles with its result or error, and leaves no timer", async () => {
  vi.useFakeTimers();
  await expect(withTimeout(Promise.resolve(7), 500, "it")).resolves.toBe(7);
  await expect(withTimeout(Promise.reject(new Error("no")), 500, "it")).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});

test("work that takes too long fails after exactly the timeout", async () => {
  vi.useFakeTimers();
  const outcome = withTimeout(new Promise(() => {}), 500, "it").catch((error: unknown) => error);
  const settled = vi.fn();
  outcome.then(settled);
  await vi.advanceTimersByTimeAsync(499);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toEqual(new Error("it did not answer within 500 ms"));
});
