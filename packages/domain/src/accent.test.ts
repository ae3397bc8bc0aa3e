import { expect, test } from "vitest";
import { ACCENT, ACCENT_INK, contrast, LEAST_ACCENT_CONTRAST } from "./accent.ts";

test.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  ["#767676", "#ffffff", 4.54],
  ["#777777", "#ffffff", 4.48],
  ["#f7931a", "#1c1200", 8.05],
])("the contrast of %s and %s is %f in both directions", (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test("the text on the shop's own accent is readable", () => {
  expect(contrast(ACCENT, ACCENT_INK)).toBeGreaterThan(LEAST_ACCENT_CONTRAST);
});
