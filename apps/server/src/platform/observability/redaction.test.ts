import { pino } from "pino";
import { expect, test } from "vitest";
import { withSafeErrors } from "./redaction.ts";

/** The log line of an error. */
function logged(err: unknown): string {
  const lines: string[] = [];
  withSafeErrors(pino({ base: null }, { write: (line: string) => lines.push(line) })).error(
    { err },
    "a fault",
  );
  return lines.join("");
}

test("only fields without personal data are logged of an error", () => {
  const error = Object.assign(new TypeError("a check failed"), {
    code: "23514",
    constraint: "orders_total_check",
    detail: "Failing row contains (Ada Lovelace)",
    rawPacket: Buffer.from("Ada"),
    cause: Object.assign(new Error("because"), { where: "Ada" }),
  });
  const line = logged(error);
  expect(JSON.parse(line)).toMatchObject({
    msg: "a fault",
    err: {
      type: "TypeError",
      message: "a check failed",
      stack: expect.stringContaining("redaction.test.ts"),
      code: "23514",
      constraint: "orders_total_check",
      cause: { message: "because" },
    },
  });
  expect(line).not.toMatch(/Ada|Lovelace|"type":"Buffer"/);
});

test.each([
  [
    "an order's id",
    "no order 0123abcd-0000-4000-8000-000000000001 here",
    "no order 0123abcd… here",
  ],
  ["an email address", 'cannot read "ada@example.org"', 'cannot read "…@…"'],
  [
    "an order's key",
    "GET /api/ws/order-status?key=vU9hrk2rP9eCpO3cYRJvbQ&x=1",
    "GET /api/ws/order-status?key=…&x=1",
  ],
  [
    "nothing in a path",
    "at node_modules/@fastify/static/index.js:1:2",
    "at node_modules/@fastify/static/index.js:1:2",
  ],
])("%s is redacted in the text of an error", (_, text, safe) => {
  expect(JSON.parse(logged(new Error(text))).err.message).toBe(safe);
  expect(JSON.parse(logged(text)).err.message).toBe(safe);
});
