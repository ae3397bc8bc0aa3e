import { expect, test } from "vitest";
import * as z from "zod/mini";
import { answerOf, isApiError } from "./api-error.ts";

const schema = z.object({ count: z.int() });
const answer = (body: string, status = 200) =>
  answerOf(new Response(body, { status }), schema, "GET /api/count");

test("an answer is decoded", async () => {
  expect(await answer('{"count":7,"more":true}')).toEqual({ count: 7 });
});

test("a refusal is thrown with its status and its problem, and names the call", async () => {
  const problem = { title: "Not found", status: 404, code: "not_found" };
  const error = await answer(JSON.stringify(problem), 404).catch((thrown: unknown) => thrown);
  expect(isApiError(error)).toBe(true);
  expect(error).toMatchObject({ message: "GET /api/count was answered 404", status: 404, problem });
});

test("an answer in another format is thrown without a status, as if there had been none", async () => {
  const error = await answer("<html>").catch((thrown: unknown) => thrown);
  expect(isApiError(error)).toBe(true);
  expect(error).toMatchObject({
    message: "GET /api/count was answered in an unexpected format",
    status: undefined,
    problem: undefined,
  });
});
