import { expect, test } from "vitest";
import { failureOf, usageError } from "./errors.ts";

test("an expected failure ends with its own code and message, without control characters", () => {
  expect(failureOf(usageError("What is \u001b[2J?"))).toEqual({
    code: 2,
    text: "What is \ufffd[2J?\nSee: npm run cli -- help",
  });
});

test("any other error ends with code 1, and shows where it was thrown", () => {
  const { code, text } = failureOf(new TypeError("broken"));
  expect(code).toBe(1);
  expect(text).toMatch(/^TypeError: broken\n +at .*errors\.test\.ts/);
});
