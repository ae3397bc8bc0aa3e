import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { call, send } from "./call.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Replaces `fetch`. @returns the arguments of each call */
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

test("text and files are sent as they are, with their type and the idempotency key", async () => {
  const sent = answerAll(() => new Response(null, { status: 204 }));
  for (const body of ["a,b\n", new Blob(["a,b\n"])])
    await send({ path: "/", method: "POST", body, type: "text/csv", idempotencyKey: "k" });
  for (const { headers, body } of sent()) {
    expect(headers).toEqual({ "content-type": "text/csv", "idempotency-key": "k" });
    expect(await new Response(body ?? null).text()).toBe("a,b\n");
  }
});

test("a call without a body has no content type unless it reads", async () => {
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

test("a refused call without an answer's body is an ApiError with its status", async () => {
  answerAll(() => new Response("oops", { status: 500 }));
  await expect(send({ path: "/" })).rejects.toMatchObject({ name: "ApiError", status: 500 });
});
