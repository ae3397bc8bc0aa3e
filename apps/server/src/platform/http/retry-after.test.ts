import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const NOW = Date.parse("2026-11-27T12:00:00Z");

test.each<[string | null | undefined, number | undefined]>([
  ["7", 7_000],
  ["0", 0],
  ["Fri, 27 Nov 2026 12:00:30 GMT", 30_000],
  ["Fri, 27 Nov 2026 11:00:00 GMT", 0],
  ["-3", 0],
  ["soon", undefined],
  ["Infinity", undefined],
  [null, undefined],
  [undefined, undefined],
])("Retry-After %s is a delay of %s milliseconds", (header, delay) => {
  expect(parseRetryAfter(header, NOW)).toBe(delay);
});
