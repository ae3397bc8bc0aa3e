import { expect, test } from "vitest";
import { historyStep } from "./history-guard.ts";

test.for([
  ["the entry before", { idx: 3 }, { idx: 2 }, -1],
  ["several entries before", { idx: 3 }, { idx: 0 }, -3],
  ["the entry after", { idx: 3, usr: null }, { idx: 4, usr: null }, 1],
] as const)("%s is so many steps away", ([, from, to, step]) => {
  expect(historyStep(from, to)).toBe(step);
});

test("a step from or to an entry that the router did not make is unknown", () => {
  expect(historyStep(null, { idx: 2 })).toBeUndefined();
  expect(historyStep({ idx: 2 }, null)).toBeUndefined();
  expect(historyStep({ idx: 2 }, { idx: 2 })).toBeUndefined();
});
