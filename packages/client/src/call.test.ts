import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import {
  ApiError,
  call,
  decodeAnswer,
  isApiError,
  jitteredBackoff,
  retryWhileUnavailable,
  send,
} from "./call.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Replaces `fetch`. Returns the arguments of each call. */
function answerAll(answer: () => Response) {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => answer());
  vi.stubGlobal("fetch", fetched);
  return () => fetched.mock.calls.map(([, init]) => init);
}

test.each(["GET", "POST"] as const)("a %s call has a JSON content type", async (method) => {
  const sent = answerAll(() => Response.json({ id: "x" }));
  const answer = z.object({ id: z.string() });
  const body = method === "GET" ? undefined : { a: 1 };
  expect(await call({ path: "/api/me", method, body, headers: { x: "y" }, answer })).toEqual({
    id: "x",
  });
  const [init] = sent();
  expect(init).toMatchObject({
    method,
    headers: { "content-type": "application/json", x: "y" },
    ...(body === undefined ? {} : { body: '{"a":1}' }),
  });
});

test("text and files are sent unchanged, with their type and the idempotency key", async () => {
  const sent = answerAll(() => new Response(null, { status: 204 }));
  for (const body of ["a,b\n", new Blob(["a,b\n"])])
    await send({ path: "/", method: "POST", body, type: "text/csv", idempotencyKey: "k" });
  for (const { headers, body } of sent()) {
    expect(headers).toEqual({ "content-type": "text/csv", "idempotency-key": "k" });
    expect(await new Response(body ?? null).text()).toBe("a,b\n");
  }
});

test("a call without a body has no content type unless it is a GET", async () => {
  const sent = answerAll(() => new Response(null, { status: 204 }));
  await send({ path: "/", method: "DELETE" });
  const [init] = sent();
  expect(init).toMatchObject({ headers: {} });
  expect(init).not.toHaveProperty("body");
});

test("a call with an aborted signal is not sent", async () => {
  const aborted = call({
    path: "http://shop.invalid/",
    answer: z.unknown(),
    signal: AbortSignal.abort(),
  });
  await expect(aborted).rejects.toMatchObject({ name: "ApiError", cause: { name: "AbortError" } });
});

test("a refused call without a problem is an ApiError with its status", async () => {
  answerAll(() => new Response("oops", { status: 500 }));
  await expect(send({ path: "/" })).rejects.toMatchObject({ name: "ApiError", status: 500 });
});

const schema = z.object({ count: z.int() });
const decodeBody = (body: string | ReadableStream | null, status = 200) =>
  decodeAnswer(new Response(body, { status }), schema, "GET /api/count");
const failure = (body: string | ReadableStream | null, status?: number) =>
  decodeBody(body, status).catch((error: unknown) => error);

test("a success with the expected shape is decoded without unknown fields", async () => {
  expect(await decodeBody('{"count":7,"more":true}')).toEqual({ count: 7 });
});

test("a success without content is null", async () => {
  const answer = new Response(null, { status: 204 });
  expect(await decodeAnswer(answer, z.nullable(schema), "DELETE /api/count")).toBeNull();
});

const interrupted = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"count":7'));
      controller.error(new Error("connection lost"));
    },
  });
test.each<[name: string, body: string | ReadableStream | null]>([
  ["another shape", '{"count":"7"}'],
  ["no JSON", "<html>"],
  ["no body", null],
  ["an interrupted body", interrupted()],
])("a success with %s has no status, as if there had been no answer", async (_, body) => {
  const error = await failure(body);
  expect(isApiError(error)).toBe(true);
  expect(error).toMatchObject({
    message: "GET /api/count was answered in an unexpected format",
    status: undefined,
    problem: undefined,
  });
});

test("a refusal has its status, and its problem if the body is one", async () => {
  const problem = {
    title: "Not found",
    status: 404,
    code: "not_found",
    detail: "There is no such order.",
  };
  expect(await failure(JSON.stringify(problem), 404)).toMatchObject({
    message: "GET /api/count was answered 404",
    status: 404,
    problem,
  });
  for (const body of ["<html>Bad gateway</html>", '{"count":7}', null]) {
    const error = await failure(body, 502);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, problem: undefined });
  }
});

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
  const delays = Array.from({ length: 100 }, () => jitteredBackoff(failures, 500, 20_000));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.5 * delay);
  expect(Math.max(...delays)).toBeLessThan(1.5 * delay);
});
