import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAdmission, spread } from "./pace.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(mostWaiting = 1_000) {
  const admission = createAdmission({ perSecond: 1_000, burst: 10, mostWaiting }, Date.now);
  const entered: number[] = [];
  const come = (who: number) => admission.admit(() => entered.push(who));
  return { admission, entered, come };
}
const hundred = Array.from({ length: 100 }, (_, index) => index);

test("many who come at once come in one after another, at a bounded rate", () => {
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

test("who finds no room in the line is told so", () => {
  const { entered, come } = start(5);
  expect(hundred.filter(come)).toHaveLength(15);
  vi.advanceTimersByTime(1_000);
  expect(entered).toHaveLength(15);
});

test("when it is closed nobody is left waiting", () => {
  const { admission, entered, come } = start();
  for (const who of hundred) come(who);
  admission.close();
  expect(entered).toEqual(hundred);
});

test("what is spread over a time is done evenly, and all of it", async () => {
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

test("what is spread over no time is done at once", () => {
  const done: number[] = [];
  spread(hundred, 0, (one) => done.push(one));
  expect(done).toEqual(hundred);
});
