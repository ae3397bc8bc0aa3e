import { expect, test } from "vitest";
import { fieldText, withoutInvisible } from "./text.ts";

test.each([
  "\u200b",
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2060",
  "\u2064",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u206f",
  "\ufeff",
])("%j is removed at any position", (character) => {
  expect(withoutInvisible(`${character}Ada${character}${character} L.${character}`)).toBe("Ada L.");
});

test.each([
  ["a joined emoji", "👩‍🚀"],
  ["a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["a Persian word with U+200C", "می‌خواهم"],
  ["a Sinhala word with U+200D", "ශ්‍රී"],
  ["a mark of direction", "שלום\u200f!\u200e"],
  ["a soft hyphen", "Donau\u00addampf"],
  ["a dash", "a\u2010b\u2014c"],
  ["line breaks", "a\nb\u2028c"],
])("%s is unchanged", (_, text) => {
  expect(withoutInvisible(text)).toBe(text);
});

test("the text of a field is trimmed and has no invisible characters", () => {
  expect(fieldText("\u202a Ada\u200b \u202eL.\u202c ")).toBe("Ada L.");
});
