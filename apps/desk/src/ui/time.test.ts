import { expect, test } from "vitest";
import { ago } from "./time.tsx";

test.each([
  [-5_000, "a moment ago"],
  [59_999, "a moment ago"],
  [60_000, "1 minute ago"],
  [59 * 60_000, "59 minutes ago"],
  [60 * 60_000, "1 hour ago"],
  [25 * 3_600_000, "1 day ago"],
  [72 * 3_600_000, "3 days ago"],
])("%i ms are %s", (passed, words) => {
  expect(ago(1_000_000, 1_000_000 + passed)).toBe(words);
});
