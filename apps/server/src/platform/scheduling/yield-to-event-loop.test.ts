import { once } from "node:events";
import { createServer, get } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createYield, isServingRequests } from "./yield-to-event-loop.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const work = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
const yes = () => true;
const no = () => false;

test("work yields after a millisecond", async () => {
  const yieldToEventLoop = createYield({ share: 1 });
  let turns = 0;
  work(0.9);
  setImmediate(() => {
    turns += 1;
  });
  await yieldToEventLoop();
  expect(turns).toBe(0);
  work(0.1);
  await yieldToEventLoop();
  expect(turns).toBe(1);
});

test("work does not pause while no requests are served", async () => {
  const yieldToEventLoop = createYield({ share: 0.1, isServing: no });
  work(2);
  await yieldToEventLoop();
  expect(vi.getTimerCount()).toBe(0);
});

test("work pauses while requests are served, so that it takes its share of the time", async () => {
  const yieldToEventLoop = createYield({ share: 0.1, isServing: yes });
  work(2);
  let isOver = false;
  const ended = yieldToEventLoop().then(() => {
    isOver = true;
  });
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(17);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
});

test("work that holds a transaction does not pause", async () => {
  const yieldToEventLoop = createYield({ share: 1, isServing: yes });
  work(2);
  await yieldToEventLoop();
  expect(vi.getTimerCount()).toBe(0);
});

test("requests are served from the moment when a server of this process receives one", async () => {
  let wasServing = false;
  const server = createServer((_, response) => {
    wasServing = isServingRequests();
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const [response] = await once(get({ port, agent: false }), "response");
  response.resume();
  await once(response, "end");
  server.close();
  expect(wasServing).toBe(true);
  work(10);
  expect(isServingRequests()).toBe(false);
});
