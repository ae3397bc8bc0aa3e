import { expect, test } from "vitest";
import { createCallBudget } from "./call-budget.ts";

function budgetAt(start: number) {
  let time = start;
  const budget = createCallBudget(5, () => time);
  const take = (count: number, urgent: boolean) =>
    Array.from({ length: count }, () => budget.take(urgent)).filter(Boolean).length;
  return { budget, take, pass: (milliseconds: number) => (time += milliseconds) };
}

test("lets five calls a second pass, the last of them for what is urgent", () => {
  const { take, pass } = budgetAt(0);
  expect(take(10, false)).toBe(4);
  expect(take(10, true)).toBe(1);
  pass(1_000);
  expect(take(10, true)).toBe(5);
  pass(10_000);
  expect(take(10, true)).toBe(5);
});

test("lets none pass while the provider has asked for a pause", () => {
  const { budget, take, pass } = budgetAt(1_000);
  budget.pause(3_000);
  pass(2_999);
  expect(take(10, true)).toBe(0);
  pass(1);
  expect(take(10, true)).toBe(5);
});

test("a clock that is set back makes no calls and breaks nothing", () => {
  const { take, pass } = budgetAt(100_000);
  take(5, true);
  pass(-50_000);
  expect(take(5, true)).toBe(0);
  pass(2_000);
  expect(take(10, true)).toBe(5);
});
