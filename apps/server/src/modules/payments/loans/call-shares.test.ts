import { expect, test } from "vitest";
import { createCallShares } from "./call-shares.ts";

/** Shares five calls a second. `take` returns how many of the requested calls a client gets. */
function sharesAt(start: number) {
  let time = start;
  const shares = createCallShares(() => time);
  const take = (client: string, count: number) =>
    Array.from({ length: count }, () => shares.take(client)).filter(Boolean).length;
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { shares, take, pass };
}

test("a client that presents sixty loans gets a quarter of the calls", () => {
  const { take, pass } = sharesAt(0);
  let taken = 0;
  for (let second = 0; second < 100; second += 1) {
    taken += take("a", 60);
    pass(1_000);
  }
  expect(taken / 100).toBeCloseTo(5 / 4);
});

test("many clients get equal shares, and each one call at least", () => {
  const { take, pass } = sharesAt(0);
  for (let index = 0; index < 9; index += 1) take(`c${index}`, 1);
  expect(take("c9", 60)).toBe(1);
  expect(take("c0", 60)).toBe(0);
  pass(4_000);
  expect(take("c0", 60)).toBe(5);
});

test("a call that is released is not counted", () => {
  const { shares, take } = sharesAt(0);
  for (let index = 0; index < 100; index += 1) {
    expect(shares.take("a")).toBe(true);
    shares.release("a");
  }
  expect(take("a", 60)).toBe(5);
  shares.release("nobody");
});
