import { expect, test } from "vitest";
import { createTokenBucket } from "./token-bucket.ts";

test("the capacity may be used at once, then the rate applies", () => {
  let now = 0;
  const bucket = createTokenBucket({ perSecond: 20, capacity: 20 }, () => now);
  expect([bucket.free(), bucket.waitFor(4)]).toEqual([20, 0]);
  bucket.take(20);
  expect([bucket.free(), bucket.waitFor(4)]).toEqual([0, 200]);
  now += 150;
  expect([bucket.free(), bucket.waitFor(4)]).toEqual([3, 50]);
  now += 50;
  expect([bucket.free(), bucket.waitFor(4)]).toEqual([4, 0]);
});

test("the bucket never exceeds its capacity", () => {
  let now = 0;
  const bucket = createTokenBucket({ perSecond: 20, capacity: 20 }, () => now);
  now += 3_600_000;
  expect(bucket.free()).toBe(20);
});

test("at a low rate each start waits for its own token", () => {
  let now = 0;
  const bucket = createTokenBucket({ perSecond: 2, capacity: 2 }, () => now);
  bucket.take(2);
  expect(bucket.waitFor(1)).toBe(500);
  now += 500;
  expect([bucket.free(), bucket.waitFor(1)]).toEqual([1, 0]);
});
