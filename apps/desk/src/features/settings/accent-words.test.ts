import { ACCENT } from "@keepsats/domain";
import { expect, test } from "vitest";
import { accentWords, isColour } from "./accent-words.ts";

test("an accent is told with the contrast of the text on it", () => {
  expect(accentWords(ACCENT)).toMatch(/^The text on it has a contrast of \d+\.\d\d:1, which is enough\.$/);
  expect(accentWords("#FFFFFF")).toContain("enough");
  expect(accentWords("#000000")).toMatch(/^Too dark: .* needs 4.5:1\.$/);
});

test("what is not a colour has no contrast", () => {
  expect(accentWords("orange")).toBeUndefined();
  expect(isColour("#f7931")).toBe(false);
  expect(isColour("#f7931a")).toBe(true);
});
