import fc from "fast-check";
import { expect, test } from "vitest";
import { searchedText, wordsOf } from "./search-words.ts";

test.each([
  ["Ada Lovelace", ["ada", "lovelace"]],
  ["MÜLLER, José  Straße", ["muller", "jose", "strasse"]],
  ["Ærø Łódź Đorđe Þór", ["aero", "lodz", "dorde", "thor"]],
  ["ada.lovelace+shop15@example.co.uk", ["ada", "lovelace", "shop", "15", "example", "co", "uk"]],
  ["moka-pot Moka Pot", ["moka", "pot"]],
  ["O'Brien", ["o", "brien"]],
  ["☕ Mug №5 ﬁlter", ["mug", "no", "5", "filter"]],
  ["Иван Ёлкин", ["иван", "елкин"]],
  ["山田太郎", ["山田太郎"]],
  ["A\u200bda Love\u2060lace", ["ada", "lovelace"]],
  ["% _ ' \" \\ -- ; () * \0 😀 \n", []],
  ["", []],
])("%j has the words %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test("a cut word is well-formed Unicode", () => {
  expect(wordsOf(`a${"\u{20000}".repeat(33)}`).every((word) => word.isWellFormed())).toBe(true);
});

test("every word is short and has no special characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      for (const word of wordsOf(text)) {
        expect(word.length).toBeLessThanOrEqual(64);
        expect(word.isWellFormed()).toBe(true);
        expect(word).not.toMatch(/[\s%_=\\]/);
      }
    }),
  );
});

test.each([
  ["0e4b3a51", "0e4b3a51"],
  ["#0E4B", "0e4b"],
  [" 0e4b3a51-0000-4000-8000-000000000001 ", "0e4b3a51-0000-4000-8000-000000000001"],
  ["abcdefab", "abcdefab"],
  ["\u202a3f2a1b2c\u202c", "3f2a1b2c"],
  ["\u200b #3f2a\ufeff", "3f2a"],
])("%j is searched as the prefix of an id", (text, idPrefix) => {
  expect(searchedText(text)).toMatchObject({ idPrefix });
});

test.each([
  "ada",
  "face",
  "0e4",
  "decade",
  "0e4b 3a51",
  "0e4b3a5x",
  "-0e4b3a5",
  "0e4b3a51-0000-4000-8000-000000000001f",
])("%j is not searched as the prefix of an id", (text) => {
  expect(searchedText(text)).toEqual({ words: wordsOf(text) });
});

test.each(["K-10023", "k10023", "10023", "#10023"])("%j is searched as an order number", (text) => {
  expect(searchedText(text)).toMatchObject({ number: 10_023 });
});
