import { afterEach, expect, test, vi } from "vitest";
import { createEndTurn } from "./turns.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A clock that stands still until it is set, and what other requests do in a turn of their own. */
function aTurn({ share }: { share: number }) {
  let time = 0;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const endTurn = createEndTurn({ share, now: () => time });
  return {
    endTurn,
    work(milliseconds: number) {
      time += milliseconds;
    },
    othersAreServed() {
      setImmediate(() => {
        time += 3;
      });
    },
  };
}

test("work goes on in its turn until that has taken a millisecond", async () => {
  const { endTurn, work } = aTurn({ share: 1 });
  let turns = 0;
  work(0.9);
  setImmediate(() => {
    turns += 1;
  });
  await endTurn();
  expect(turns).toBe(0);
  work(0.1);
  await endTurn();
  expect(turns).toBe(1);
});

test("work does not pause while nobody else is served", async () => {
  const { endTurn, work } = aTurn({ share: 0.1 });
  work(2);
  await endTurn();
  expect(vi.getTimerCount()).toBe(0);
});

test("work pauses while others are served, so that it takes its share of the time", async () => {
  const { endTurn, work, othersAreServed } = aTurn({ share: 0.1 });
  work(2);
  othersAreServed();
  let isOver = false;
  const ended = endTurn().then(() => {
    isOver = true;
  });
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(17);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
});

test("work that holds a transaction does not pause", async () => {
  const { endTurn, work, othersAreServed } = aTurn({ share: 1 });
  work(2);
  othersAreServed();
  await endTurn();
  expect(vi.getTimerCount()).toBe(0);
});
