import { ACCENT } from "@keepsats/domain";
import { expect, test } from "vitest";
import { accentWords, isColour } from "./accent-words.ts";

test("an accent is described by the colour and contrast of its text", () => {
  expect(accentWords(ACCENT)).toBe(
    "Buttons in this colour get dark text, with a contrast of 8.0:1.",
  );
  expect(accentWords("#B30000")).toBe(
    "Buttons in this colour get light text, with a contrast of 7.2:1.",
  );
});

test("what is not a colour has no contrast", () => {
  expect(accentWords("orange")).toBeUndefined();
  expect(isColour("#f7931")).toBe(false);
  expect(isColour("#f7931a")).toBe(true);
});
