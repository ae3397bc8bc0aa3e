import { once } from "node:events";
import { createServer, get } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createEndTurn } from "./turns.ts";

let started = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  // The requests of the tests before were long ago, also by their clocks, which were ahead.
  started += 1;
  vi.advanceTimersByTime(started * 1_000);
});
afterEach(() => {
  vi.useRealTimers();
});

const work = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

/** Somebody else's request, answered by a server of this process. */
async function othersAreServed(): Promise<void> {
  const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const [response] = await once(get({ port, agent: false }), "response");
  response.resume();
  await once(response, "end");
  server.close();
}

test("work goes on in its turn until that has taken a millisecond", async () => {
  const endTurn = createEndTurn({ share: 1 });
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
  const endTurn = createEndTurn({ share: 0.1 });
  work(2);
  await endTurn();
  expect(vi.getTimerCount()).toBe(0);
});

test("work pauses while others are served, so that it takes its share of the time", async () => {
  const endTurn = createEndTurn({ share: 0.1 });
  work(2);
  await othersAreServed();
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
  const endTurn = createEndTurn({ share: 1 });
  work(2);
  await othersAreServed();
  await endTurn();
  expect(vi.getTimerCount()).toBe(0);
});
