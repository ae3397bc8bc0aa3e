import Fastify, { type InjectOptions } from "fastify";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { Refusal } from "../refusal.ts";
import { collectOperations } from "./openapi-route.ts";
import type { Operation } from "./operation.ts";
import { handleError, sendProblem } from "./problems.ts";
import { post, route } from "./route.ts";

const tenths = z.codec(z.number(), z.int(), {
  decode: (value) => value * 10,
  encode: (value) => value / 10,
});
const operation = {
  operationId: "weigh",
  summary: "Weigh a thing",
  takes: z.object({
    headers: z.object({ "dry-run": z.optional(z.literal("1", "must be 1")) }),
    params: z.object({ id: z.string().check(z.maxLength(3, "is too long")) }),
    query: z.object({ unit: z.optional(z.literal("kg", "is not a unit")) }),
    body: z.object({ weight: tenths }),
  }),
  answers: { 201: z.object({ id: z.string(), weight: tenths }) },
} satisfies Operation;

/** Unexpected errors, as they would be logged. */
const faults: unknown[] = [];

function shop(changed: Pick<Operation, "notFoundDetail"> = {}) {
  const fastify = Fastify();
  const operations = collectOperations(fastify);
  fastify.setErrorHandler((error, request, reply) => {
    faults.push(error);
    return handleError(error, request.log, reply);
  });
  route(
    fastify,
    post("/things/:id"),
    { ...operation, ...changed, takes: operation.takes, answers: operation.answers },
    async ({ params, body }, reply) => {
      if (params.id === "no") return sendProblem(reply, "not_found");
      if (params.id === "one") return new Refusal("name_taken", { detail: "There is one." });
      if (params.id === "two") return undefined;
      return { id: params.id, weight: body.weight + 1, secret: "not in the schema" };
    },
  );
  return { fastify, operations };
}

const sent = (changes: InjectOptions): InjectOptions => ({
  method: "POST",
  url: "/things/a",
  payload: { weight: 1.5 },
  ...changes,
});

test("a handler gets decoded values, and its answer is encoded by the schema, without other fields", async () => {
  const answer = await shop().fastify.inject(sent({}));
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({ id: "a", weight: 1.6 });
});

test("a handler may send a problem itself", async () => {
  const answer = await shop().fastify.inject(sent({ url: "/things/no" }));
  expect(answer.json()).toMatchObject({ status: 404, code: "not_found" });
  expect(faults).toEqual([]);
});

test.each([
  ["a body", sent({ payload: { weight: "x" } }), { path: "weight", message: expect.any(String) }],
  ["a parameter", sent({ url: "/things/long" }), { path: "id", message: "is too long" }],
  ["a query", sent({ url: "/things/a?unit=lb" }), { path: "unit", message: "is not a unit" }],
  ["a header", sent({ headers: { "dry-run": "2" } }), { path: "Dry-Run", message: "must be 1" }],
])("an error in %s has its name as path", async (_what, request, error) => {
  const answer = await shop().fastify.inject(request);
  expect(answer.json()).toMatchObject({ status: 422, code: "invalid", errors: [error] });
});

test("only the errors of the first invalid part are answered, in the order of the declaration", async () => {
  const wrong = sent({ url: "/things/long?unit=lb", headers: { "dry-run": "2" }, payload: {} });
  expect((await shop().fastify.inject(wrong)).json().errors).toEqual([
    { path: "Dry-Run", message: "must be 1" },
  ]);
});

test("a body that is not an object is malformed", async () => {
  const answer = await shop().fastify.inject(
    sent({ payload: "[]", headers: { "content-type": "application/json" } }),
  );
  expect(answer.json()).toMatchObject({ status: 400, code: "malformed" });
});

test("a refusal that a handler returns is answered with its problem", async () => {
  const answer = await shop().fastify.inject(sent({ url: "/things/one" }));
  expect(answer.json()).toMatchObject({ status: 409, code: "name_taken", detail: "There is one." });
});

test.each([
  ["invalid params", "long"],
  ["a handler's `undefined`", "two"],
])("%s: answered with 404 if the operation has a detail for it", async (_what, id) => {
  const answer = await shop({ notFoundDetail: "There is no such thing." }).fastify.inject(
    sent({ url: `/things/${id}` }),
  );
  expect(answer.json()).toMatchObject({ status: 404, detail: "There is no such thing." });
});

test("a route is recorded once with its operation for the OpenAPI document", () => {
  const { fastify, operations } = shop();
  fastify.get("/elsewhere", async () => "not declared");
  expect(operations()).toEqual([
    {
      method: "POST",
      path: "/things/:id",
      operation: expect.objectContaining({ operationId: "weigh" }),
    },
  ]);
});
