import { expect, test } from "vitest";
import { findWords } from "./check-words.ts";

const found = (text: string, path = "docs/a.md") => findWords(path, text);

test.each(["a basket is full", "const basketId = 1;", "BASKET_ID", "the baskets' items"])(
  "a word is found in %j",
  (text) => {
    expect(found(`first line\n${text}`)).toEqual([
      expect.stringMatching(/^docs\/a\.md:2: "baskets?": say cart$/),
    ]);
  },
);

test.each(["giveBack()", "GIVE_BACK", "give-back.ts", "money is given back"])(
  "a phrase is found in %j",
  (text) => {
    expect(found(text)).toHaveLength(1);
  },
);

test("a word is found in the path of a file", () => {
  expect(found("", "apps/server/src/give-back.ts")).toEqual([
    'apps/server/src/give-back.ts: "give back": say refund (money), restock (pieces), release (a lease)',
  ]);
});

test("parts of other words, allowed phrases and excepted files are left out", () => {
  expect(found("basketball and retold")).toEqual([]);
  expect(found("the basket", "CHANGELOG.md")).toEqual([]);
  expect(found("announce(status)", "apps/storefront/src/app/shell.tsx")).toEqual([]);
  expect(found("announce(status)", "apps/server/src/app.ts")).toHaveLength(1);
});
