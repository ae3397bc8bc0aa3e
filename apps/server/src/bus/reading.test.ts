import { expect, test } from "vitest";
import { type Reading, readAgain } from "./reading.ts";

/** Something that is read, and what each reading saw. `onRead` is called at the end of each. */
function reader(onRead: () => void = () => {}) {
  const state: Reading = { reading: undefined, stale: false };
  const seen: number[] = [];
  let stored = 0;
  let underWay = 0;
  async function read(): Promise<void> {
    const value = stored;
    underWay += 1;
    await new Promise(setImmediate);
    expect(underWay).toBe(1);
    underWay -= 1;
    seen.push(value);
    onRead();
  }
  const change = () => {
    stored += 1;
    return readAgain(state, read);
  };
  return { change, seen, state };
}

test("calls that come while it is read share the next reading", async () => {
  const { change, seen, state } = reader();
  await Promise.all([change(), change(), change()]);
  expect(seen).toEqual([1, 3]);
  expect(state.reading).toBeUndefined();
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  "a call that comes %i steps after a reading has ended is not lost",
  async (steps) => {
    let last: Promise<void> | undefined;
    const { change, seen } = reader(async () => {
      if (last !== undefined) return;
      last = Promise.resolve();
      for (let step = 0; step < steps; step += 1) await undefined;
      last = change();
    });
    await change();
    // Those steps are over when everything else has had its turn.
    await new Promise(setImmediate);
    await last;
    expect(seen).toEqual([1, 2]);
  },
);

test("after a reading that failed the next call reads again", async () => {
  const state: Reading = { reading: undefined, stale: false };
  await expect(readAgain(state, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  let read = false;
  await readAgain(state, async () => {
    read = true;
  });
  expect(read).toBe(true);
});
