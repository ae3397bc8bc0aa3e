import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ApiError, decodeAnswer, isApiError } from "./answer.ts";

const schema = z.object({ count: z.int() });
const decode = (body: string | ReadableStream | null, status = 200) =>
  decodeAnswer(new Response(body, { status }), schema, "GET /api/count");
const failure = (body: string | ReadableStream | null, status?: number) =>
  decode(body, status).catch((error: unknown) => error);

test("a success with the expected shape is decoded without unknown fields", async () => {
  expect(await decode('{"count":7,"more":true}')).toEqual({ count: 7 });
});

test("a success without content is null", async () => {
  const answer = new Response(null, { status: 204 });
  expect(await decodeAnswer(answer, z.nullable(schema), "DELETE /api/count")).toBeNull();
});

const breakingOff = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"count":7'));
      controller.error(new Error("the line broke"));
    },
  });
test.each<[what: string, body: string | ReadableStream | null]>([
  ["another shape", '{"count":"7"}'],
  ["no JSON", "<html>"],
  ["no body", null],
  ["a body that breaks off", breakingOff()],
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
