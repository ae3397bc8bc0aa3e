import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

test("a second's attempts may begin at once, then a fifth of them together every 200 milliseconds", () => {
  let now = 0;
  const pace = createPace(20, () => now);
  expect([pace.free(), pace.wait()]).toEqual([20, 0]);
  pace.took(20);
  expect([pace.free(), pace.wait()]).toEqual([0, 200]);
  now += 150;
  expect([pace.free(), pace.wait()]).toEqual([3, 50]);
  now += 50;
  expect([pace.free(), pace.wait()]).toEqual([4, 0]);
});

test("the bucket never holds more than a second's attempts", () => {
  let now = 0;
  const pace = createPace(20, () => now);
  now += 3_600_000;
  expect(pace.free()).toBe(20);
});

test("of less than five attempts a second each begins by itself", () => {
  let now = 0;
  const pace = createPace(2, () => now);
  pace.took(2);
  expect(pace.wait()).toBe(500);
  now += 500;
  expect([pace.free(), pace.wait()]).toEqual([1, 0]);
});
