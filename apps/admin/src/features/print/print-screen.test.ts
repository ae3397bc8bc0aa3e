import { expect, test } from "vitest";
import { printedIds } from "./print-screen.tsx";

test.each([
  [null, []],
  ["", []],
  ["a", ["a"]],
  ["a,,b,a", ["a", "b"]],
])("the parameter ids=%s prints the orders %j", (parameter, ids) => {
  expect(printedIds(parameter)).toEqual(ids);
});

test("at most 100 orders are printed", () => {
  const ids = Array.from({ length: 101 }, (_, number) => String(number));
  expect(printedIds(ids.join())).toEqual(ids.slice(0, 100));
});
