import { expect, test } from "vitest";
import { createCoalescedRead } from "./coalesced-read.ts";

/** A value, and the results of its reads. `onRead` is called at the end of each read. */
function reader(onRead: () => void = () => {}) {
  const seen: number[] = [];
  let stored = 0;
  let running = 0;
  const { refresh } = createCoalescedRead(async () => {
    const value = stored;
    running += 1;
    await new Promise(setImmediate);
    expect(running).toBe(1);
    running -= 1;
    seen.push(value);
    onRead();
  });
  const change = () => {
    stored += 1;
    return refresh();
  };
  return { change, seen };
}

test("calls during a read share the next one", async () => {
  const { change, seen } = reader();
  await Promise.all([change(), change(), change()]);
  expect(seen).toEqual([1, 3]);
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  "a call that arrives %i microtasks after the end of a read is not lost",
  async (steps) => {
    let last: Promise<void> | undefined;
    const { change, seen } = reader(async () => {
      if (last !== undefined) return;
      last = Promise.resolve();
      for (let step = 0; step < steps; step += 1) await undefined;
      last = change();
    });
    await change();
    // All microtasks have run by then.
    await new Promise(setImmediate);
    await last;
    expect(seen).toEqual([1, 2]);
  },
);

test("after a failed read the next call reads again", async () => {
  let reads = 0;
  const { refresh } = createCoalescedRead(async () => {
    reads += 1;
    if (reads === 1) throw new Error("away");
  });
  await expect(refresh()).rejects.toThrow("away");
  await refresh();
  expect(reads).toBe(2);
});
