import Fastify from "fastify";
import { expect, test } from "vitest";
import { Overloaded } from "../database/faults.ts";
import { handleError } from "./problems.ts";

test("an overload is answered with 503 and a random Retry-After", async () => {
  const fastify = Fastify();
  fastify.setErrorHandler((error, request, reply) => handleError(error, request.log, reply));
  fastify.get("/", async () => {
    throw new Overloaded("too many wait");
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => fastify.inject("/")));
  expect(answers[0]?.statusCode).toBe(503);
  expect(answers[0]?.headers["content-type"]).toMatch(/^application\/problem\+json/);
  expect(answers[0]?.json()).toMatchObject({ code: "unavailable", status: 503 });
  const seconds = new Set(answers.map(({ headers }) => Number(headers["retry-after"])));
  expect(seconds.size).toBeGreaterThan(1);
  expect([...seconds].every((value) => value >= 1 && value <= 5)).toBe(true);
});
