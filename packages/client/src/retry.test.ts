import { expect, test } from "vitest";
import { ApiError } from "./answer.ts";
import { backoff, retryWhileUnavailable } from "./retry.ts";

const { retry, retryDelay } = retryWhileUnavailable;

test("retries have jitter: the delays are spread from 0.5 to 1.5 seconds", () => {
  const delays = Array.from({ length: 100 }, retryDelay);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...delays)).toBeLessThan(1_500);
  expect(new Set(delays).size).toBeGreaterThan(50);
});

test("a call is retried twice, and only while the server is unavailable", () => {
  const answered = (status: number) => new ApiError("refused", { status, problem: undefined });
  expect([0, 1, 2].map((failures) => retry(failures, answered(503)))).toEqual([true, true, false]);
  expect([400, 429, 500].map((status) => retry(0, answered(status)))).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  [0, 500],
  [1, 1_000],
  [5, 16_000],
  [6, 20_000],
  [2_000, 20_000],
])("after %i failures the delay is about %i ms", (failures, delay) => {
  const delays = Array.from({ length: 100 }, () => backoff(failures, 500, 20_000));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.5 * delay);
  expect(Math.max(...delays)).toBeLessThan(1.5 * delay);
});
