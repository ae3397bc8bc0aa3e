import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../lib/queries.ts";
import { createThrottledRefetch } from "./live.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An active query of orders. Each fetch takes 300 ms and returns the version at its start. */
function setUp() {
  const client = createQueryClient();
  const server = { version: 0, fetches: 0, open: 0, most: 0 };
  const queryFn = async () => {
    const { version } = server;
    server.fetches += 1;
    server.open += 1;
    server.most = Math.max(server.most, server.open);
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.open -= 1;
    return version;
  };
  const options = {
    queryKey: ["shown"],
    queryFn,
    meta: { topics: ["orders", "figures"] as const },
  };
  const observer = new QueryObserver(client, options);
  const close = observer.subscribe(() => {});
  const { refetch, refetchAll } = createThrottledRefetch(client);
  const change = () => {
    server.version += 1;
    refetch(["orders"]);
  };
  return { client, server, observer, refetch, refetchAll, change, close };
}

test("a change is fetched immediately, and many changes at most once a second, including the last", async () => {
  const { server, observer, change } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  expect(server.fetches).toBe(1);
  change();
  await vi.advanceTimersByTimeAsync(300);
  expect(observer.getCurrentResult().data).toBe(1);
  for (let at = 0; at < 40; at += 1) {
    change();
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(server.fetches).toBeLessThanOrEqual(12);
  expect(server.most).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(observer.getCurrentResult().data).toBe(41);
});

test("a query that is removed while it is fetched, as at the end of a session, is forgotten", async () => {
  const { client, change, close } = setUp();
  const invalidate = vi.spyOn(client, "invalidateQueries");
  await vi.advanceTimersByTimeAsync(100);
  change();
  close();
  client.removeQueries();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(invalidate).toHaveBeenCalledTimes(1);
});

test("a change during the first fetch is fetched after it", async () => {
  const { observer, change } = setUp();
  await vi.advanceTimersByTimeAsync(100);
  change();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(observer.getCurrentResult().data).toBe(1);
});

test("a slow query does not cause refetches of other queries", async () => {
  const { client, server, change } = setUp();
  const slow = { fetches: 0 };
  new QueryObserver(client, {
    queryKey: ["slow"],
    async queryFn() {
      slow.fetches += 1;
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      return server.version;
    },
    meta: { topics: ["orders"] },
  }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(500);
  expect(server.fetches).toBe(1);
  change();
  await vi.advanceTimersByTimeAsync(7_000);
  expect(server.fetches).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(slow.fetches).toBe(2);
  expect(client.getQueryData(["slow"])).toBe(1);
});

test("after a connection everything is refetched, including queries that were being fetched", async () => {
  const { client, server, observer, refetchAll } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  void client.invalidateQueries();
  await vi.advanceTimersByTimeAsync(200);
  server.version = 7;
  const ended = refetchAll().then(() => observer.getCurrentResult().data);
  await vi.advanceTimersByTimeAsync(300);
  expect(await ended).toBe(7);
});

test("a query of other topics is not fetched", async () => {
  const { server, refetch } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  refetch(["items"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(server.fetches).toBe(1);
});

test("an inactive query becomes stale", async () => {
  const { client, server, change, close } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  close();
  change();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.fetches).toBe(1);
  expect(client.getQueryState(["shown"])?.isInvalidated).toBe(true);
});

test("figures are refetched when the server's cache has expired", async () => {
  const { server, refetch } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  for (const _ of [1, 2]) {
    refetch(["figures"]);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(server.fetches).toBe(3);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server.fetches).toBe(4);
});
