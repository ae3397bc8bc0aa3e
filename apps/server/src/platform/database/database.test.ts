import { expect, test } from "vitest";
import { padKeys } from "./database.ts";

test.each([
  [[], 0],
  [["a"], 1],
  [["a", "b"], 2],
  [["a", "b", "c"], 4],
  [Array.from({ length: 65 }, (_, index) => String(index)), 128],
])("keys %j are padded to a length of %i with the last key", (keys, length) => {
  const all = padKeys(keys);
  expect(all).toHaveLength(length);
  expect([...new Set(all)]).toEqual(keys);
});
