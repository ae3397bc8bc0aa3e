import { expect, test } from "vitest";
import { ApiError, retryWhileUnavailable } from "./api.ts";

const { retry, retryDelay } = retryWhileUnavailable;

test("pages that lost the shop at once come again apart, half a second to one and a half later", () => {
  const delays = Array.from({ length: 100 }, retryDelay);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...delays)).toBeLessThan(1_500);
  expect(new Set(delays).size).toBeGreaterThan(50);
});

test("a call is made again twice, and only while the shop is unavailable", () => {
  const answered = (status: number) => new ApiError("refused", { status, problem: undefined });
  expect([0, 1, 2].map((failures) => retry(failures, answered(503)))).toEqual([true, true, false]);
  expect([400, 429, 500].map((status) => retry(0, answered(status)))).toEqual([false, false, false]);
});
