import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { ApiError, call, retryWhileUnavailable } from "./api.ts";

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

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Replaces `fetch`. @returns the arguments of each call */
function answerAll(answer: () => Response) {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => answer());
  vi.stubGlobal("fetch", fetched);
  return fetched.mock.calls;
}

test.each(["GET", "POST"] as const)("a %s call has a JSON content type", async (method) => {
  const calls = answerAll(() => Response.json({ id: "x" }));
  const headers = { "idempotency-key": "k" };
  const answer = z.object({ id: z.string() });
  expect(await call({ path: "/api/me", method, headers, answer })).toEqual({ id: "x" });
  expect(calls[0]?.[1]).toMatchObject({
    method,
    headers: { "content-type": "application/json", ...headers },
  });
});

test("a call with an aborted signal is not sent", async () => {
  vi.stubGlobal("fetch", fetch);
  const aborted = call({
    path: "http://shop.invalid/",
    answer: z.unknown(),
    signal: AbortSignal.abort(),
  });
  await expect(aborted).rejects.toMatchObject({ name: "ApiError", cause: { name: "AbortError" } });
});

test.each([
  [() => Response.json({ wrong: 1 }), undefined],
  [() => new Response("oops", { status: 500 }), 500],
  [() => Response.json({}, { status: 422 }), 422],
])("an unexpected answer is an ApiError with its status", async (answer, status) => {
  answerAll(answer);
  await expect(call({ path: "/", answer: z.object({ id: z.string() }) })).rejects.toMatchObject({
    name: "ApiError",
    status,
  });
});
