import { expect, test } from "vitest";
import { codeOf, reasonOf } from "./errors.ts";

const withCode = (error: Error, code: string | number) => Object.assign(error, { code });

test.each<[what: string, error: unknown, reason: string]>([
  ["a message", new Error("no"), "no"],
  [
    "a message and a code",
    withCode(new Error("database or disk is full"), "SQLITE_FULL"),
    "SQLITE_FULL: database or disk is full",
  ],
  [
    "a message that contains the code",
    withCode(new Error("connect ECONNREFUSED ::1"), "ECONNREFUSED"),
    "connect ECONNREFUSED ::1",
  ],
  ["a code alone", withCode(new AggregateError([]), "ECONNREFUSED"), "ECONNREFUSED"],
  ["only a name", new TypeError(), "TypeError"],
  [
    "a cause that has the reason",
    new TypeError("fetch failed", { cause: withCode(new Error("read ECONNRESET"), "ECONNRESET") }),
    "read ECONNRESET",
  ],
  [
    "a message that explains its cause",
    new Error("timeout when connecting: all 10 connections are in use", {
      cause: new Error("timeout when connecting"),
    }),
    "timeout when connecting: all 10 connections are in use",
  ],
  [
    "a timeout",
    new DOMException("The operation was aborted due to timeout", "TimeoutError"),
    "no answer in time",
  ],
  ["no Error object", "gone", "gone"],
])("the reason of an error with %s is one line", (_, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

test("a value without a code has an empty one", () => {
  expect([new Error("no"), "gone", undefined].map(codeOf)).toEqual(["", "", ""]);
  expect(codeOf(withCode(new Error("no"), "57014"))).toBe("57014");
});
