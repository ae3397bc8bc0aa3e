import { expect, test } from "vitest";
import * as z from "zod/mini";
import { readAnswer } from "./answer.ts";

const schema = z.object({ count: z.int() });
const read = (body: string | ReadableStream | null, status = 200) =>
  readAnswer(new Response(body, { status }), schema);

test("a success with the expected shape is decoded without unknown fields", async () => {
  expect(await read('{"count":7,"more":true}')).toEqual({ kind: "ok", value: { count: 7 } });
});

test("a success without content is null", async () => {
  const answer = await readAnswer(new Response(null, { status: 204 }), z.nullable(schema));
  expect(answer).toEqual({ kind: "ok", value: null });
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
])("a success with %s is unexpected", async (_, body) => {
  expect(await read(body)).toEqual({ kind: "unexpected" });
});

test("a refusal has its status, and its problem if the body is one", async () => {
  const problem = {
    title: "Not found",
    status: 404,
    code: "not_found",
    detail: "There is no such order.",
  };
  expect(await read(JSON.stringify(problem), 404)).toEqual({
    kind: "refused",
    status: 404,
    problem,
  });
  for (const body of ["<html>Bad gateway</html>", '{"count":7}', null])
    expect(await read(body, 502)).toEqual({ kind: "refused", status: 502, problem: undefined });
});
