import { expect, test } from "vitest";
import { createCallBudget, type Priority } from "./call-budget.ts";

function budgetAt(start: number) {
  let time = start;
  const budget = createCallBudget(() => time);
  const take = async (count: number, priority: Priority) => {
    let taken = 0;
    for (let index = 0; index < count; index += 1) taken += Number(await budget.take(priority));
    return taken;
  };
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { budget, take, pass };
}

test("grants five calls a second, the last ones only to higher priorities", async () => {
  const { take, pass } = budgetAt(0);
  expect(await take(10, "unbound")).toBe(3);
  expect(await take(10, "bound")).toBe(1);
  expect(await take(10, "urgent")).toBe(1);
  pass(1_000);
  expect(await take(10, "urgent")).toBe(5);
  pass(10_000);
  expect(await take(10, "urgent")).toBe(5);
});

test("any number of unbound loans leaves calls for bound ones", async () => {
  const { take, pass } = budgetAt(0);
  let bound = 0;
  for (let tick = 0; tick < 100; tick += 1) {
    await take(50, "unbound");
    bound += await take(1, "bound");
    pass(1_000);
  }
  expect(bound).toBe(100);
});

test("any number of bound loans leaves calls for unbound ones", async () => {
  const { take, pass } = budgetAt(0);
  let unbound = 0;
  for (let tick = 0; tick < 100; tick += 1) {
    await take(50, "bound");
    unbound += await take(1, "unbound");
    pass(1_000);
  }
  expect(unbound).toBe(100);
});

test("grants at most five calls a second over all priorities", async () => {
  const { take, pass } = budgetAt(0);
  let made = 0;
  for (let tick = 0; tick < 1_000; tick += 1) {
    made += (await take(5, "unbound")) + (await take(5, "bound")) + (await take(5, "urgent"));
    pass(100);
  }
  expect(made).toBeLessThanOrEqual(505);
  expect(made).toBeGreaterThan(490);
});

test("grants no call during a pause that the provider demands", async () => {
  const { budget, take, pass } = budgetAt(1_000);
  await budget.pause(3_000);
  pass(2_999);
  expect(await take(10, "urgent")).toBe(0);
  pass(1);
  expect(await take(10, "urgent")).toBe(5);
});

test("a clock that is set back adds no calls and does not stop the budget", async () => {
  const { take, pass } = budgetAt(100_000);
  await take(5, "urgent");
  pass(-50_000);
  expect(await take(5, "urgent")).toBe(0);
  pass(2_000);
  expect(await take(10, "urgent")).toBe(5);
});

test("a pause ends when the clock is set back by more than clocks may differ", async () => {
  const LONGEST = 120_000;
  for (const [back, granted] of [
    [5_000, 0],
    [5_001, 5],
  ] as const) {
    const { budget, take, pass } = budgetAt(1_000_000);
    await budget.pause(LONGEST);
    pass(-back);
    expect(await take(10, "urgent")).toBe(granted);
  }
});
