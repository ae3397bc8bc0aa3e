import { expect, test } from "vitest";
import { createWindowLimit } from "./window-limit.ts";

test("an address may do so much a minute, and others are not touched by it", () => {
  let time = 0;
  const allow = createWindowLimit(2, () => time);
  expect([allow("a"), allow("a"), allow("a"), allow("b")]).toEqual([true, true, false, true]);
  time = 59_999;
  expect(allow("a")).toBe(false);
  time = 60_000;
  expect(allow("a")).toBe(true);
});
