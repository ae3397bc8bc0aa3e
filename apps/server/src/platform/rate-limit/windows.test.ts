import { expect, test } from "vitest";
import { createWindows, DAY, MINUTE, prune } from "./windows.ts";

test("a minute and a day are in milliseconds", () => {
  expect([MINUTE, DAY]).toEqual([60 * 1_000, 24 * 60 * 60 * 1_000]);
});

test("a window starts with its first request and ends after its length", async () => {
  let time = 0;
  const windows = createWindows(() => time);
  expect(await windows.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
  time = MINUTE - 1;
  expect(await windows.count("a", MINUTE)).toEqual({ count: 2, endsIn: 1 });
  time = MINUTE;
  expect(await windows.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
});

test("a clock that was set back restarts the window", async () => {
  let time = MINUTE;
  const windows = createWindows(() => time);
  await windows.count("a", MINUTE);
  expect(await windows.count("a", MINUTE), "at the same moment it continues").toMatchObject({
    count: 2,
  });
  time -= 1;
  expect(await windows.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
});

test("pruning deletes the two oldest expired windows, and no other", () => {
  const windows = new Map([1, 2, 3, 3, 4].map((endsAt, index) => [`${index}`, { endsAt }]));
  const left = () => [...windows.keys()].join();
  prune(windows, 0);
  expect(left()).toBe("0,1,2,3,4");
  prune(windows, 3);
  expect(left()).toBe("2,3,4");
  prune(windows, 3);
  expect(left()).toBe("4");
  prune(windows, 4);
  expect(left()).toBe("");
});

test("a restarted window is the newest, and is not replaced before older ones", async () => {
  let time = 0;
  const windows = createWindows(() => time, 4);
  const count = async (key: string) => (await windows.count(key, MINUTE)).count;
  for (const key of ["a", "b", "c", "d"]) await count(key);
  time = MINUTE;
  expect(await count("c"), "two expired windows were pruned before it").toBe(1);
  for (const key of ["e", "f", "g"]) await count(key);
  expect(await count("c")).toBe(2);
});

test("tens of thousands of windows are kept by default", async () => {
  const windows = createWindows(() => 0);
  for (let key = 0; key < 20_000; key += 1) await windows.count(String(key), MINUTE);
  expect(await windows.count("0", MINUTE)).toMatchObject({ count: 2 });
});

test("windows can be closed", async () => {
  await expect(createWindows(() => 0).close()).resolves.toBeUndefined();
});
