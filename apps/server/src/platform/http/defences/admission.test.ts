import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAdmission, spread } from "./admission.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(maxWaiting = 1_000) {
  const admission = createAdmission({ perSecond: 1_000, burst: 10, maxWaiting }, Date.now);
  const entered: number[] = [];
  const come = (who: number) => admission.admit(() => entered.push(who));
  return { admission, entered, come };
}
const hundred = Array.from({ length: 100 }, (_, index) => index);

test("many callers at once are admitted at the rate limit", () => {
  const { entered, come } = start();
  for (const who of hundred) expect(come(who)).toBe(true);
  expect(entered).toHaveLength(10);
  vi.advanceTimersByTime(45);
  expect(entered).toHaveLength(55);
  vi.advanceTimersByTime(45);
  expect(entered).toEqual(hundred);
  vi.advanceTimersByTime(1_000);
  expect(come(100)).toBe(true);
  expect(entered).toHaveLength(101);
  expect(vi.getTimerCount()).toBe(0);
});

test("a full queue refuses the caller", () => {
  const { entered, come } = start(5);
  expect(hundred.filter(come)).toHaveLength(15);
  vi.advanceTimersByTime(1_000);
  expect(entered).toHaveLength(15);
});

test("close admits all waiting callers", () => {
  const { admission, entered, come } = start();
  for (const who of hundred) come(who);
  admission.close();
  expect(entered).toEqual(hundred);
});

test("spread makes all calls, evenly over the duration", async () => {
  const done: number[] = [];
  let isOver = false;
  const spreading = spread(hundred, 1_000, (one) => done.push(one)).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(500);
  expect(done).toHaveLength(50);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  await spreading;
  expect(done).toEqual(hundred);
});

test("spread over 0 ms makes all calls at once", () => {
  const done: number[] = [];
  spread(hundred, 0, (one) => done.push(one));
  expect(done).toEqual(hundred);
});
