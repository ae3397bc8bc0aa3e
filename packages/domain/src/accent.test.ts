import { expect, test } from "vitest";
import { ACCENT, ACCENT_INK, accentInk, contrast, isDarkAccent } from "./accent.ts";

test.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  ["#767676", "#ffffff", 4.54],
  ["#777777", "#ffffff", 4.48],
  ["#f7931a", "#1c1200", 8.05],
])("the contrast of %s and %s is %f in both directions", (colour, other, ratio) => {
  expect(contrast(colour, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, colour)).toBe(contrast(colour, other));
});

test("the text on a light accent is dark, and that on a dark one is light", () => {
  expect([ACCENT, "#ffffff", "#3aa6ff"].map(accentInk)).toEqual([
    ACCENT_INK,
    ACCENT_INK,
    ACCENT_INK,
  ]);
  expect(["#000000", "#b30000", "#00008b"].map(accentInk)).toEqual([
    "#ffffff",
    "#ffffff",
    "#ffffff",
  ]);
  expect(isDarkAccent("#b30000")).toBe(true);
  expect(isDarkAccent(ACCENT)).toBe(false);
});

test("the text on every accent has a contrast of at least 4.5", () => {
  for (let grey = 0; grey < 256; grey += 1) {
    const accent = `#${grey.toString(16).padStart(2, "0").repeat(3)}`;
    expect(contrast(accent, accentInk(accent)), accent).toBeGreaterThanOrEqual(4.5);
  }
});
