import { MutationObserver, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createThrottledRefetch } from "./live.ts";
import { createQueryClient } from "./queries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A query of orders that is shown; each fetch takes 300 ms and has the version of its beginning. */
function setUp(meta = {}) {
  const client = createQueryClient();
  const shop = { version: 0, fetches: 0, open: 0, most: 0 };
  const queryFn = async () => {
    const { version } = shop;
    shop.fetches += 1;
    shop.open += 1;
    shop.most = Math.max(shop.most, shop.open);
    await new Promise((resolve) => setTimeout(resolve, 300));
    shop.open -= 1;
    return version;
  };
  const options = {
    queryKey: ["shown"],
    queryFn,
    meta: { topics: ["orders", "figures"] as const, ...meta },
  };
  const observer = new QueryObserver(client, options);
  const close = observer.subscribe(() => {});
  const { refetch, refetchAll } = createThrottledRefetch(client);
  const change = () => {
    shop.version += 1;
    refetch(["orders"]);
  };
  return { client, shop, observer, refetch, refetchAll, change, close };
}

test("a change is fetched at once, and many at most once a second, the last one too", async () => {
  const { shop, observer, change } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  expect(shop.fetches).toBe(1);
  change();
  await vi.advanceTimersByTimeAsync(300);
  expect(observer.getCurrentResult().data).toBe(1);
  for (let at = 0; at < 40; at += 1) {
    change();
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(shop.fetches).toBeLessThanOrEqual(12);
  expect(shop.most).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(observer.getCurrentResult().data).toBe(41);
});

test("a change during the first fetch is fetched after it", async () => {
  const { observer, change } = setUp();
  await vi.advanceTimersByTimeAsync(100);
  change();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(observer.getCurrentResult().data).toBe(1);
});

test("a slow query does not make the others fetch again", async () => {
  const { client, shop, change } = setUp();
  const slow = { fetches: 0 };
  new QueryObserver(client, {
    queryKey: ["slow"],
    async queryFn() {
      slow.fetches += 1;
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      return shop.version;
    },
    meta: { topics: ["orders"] },
  }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(500);
  expect(shop.fetches).toBe(1);
  change();
  await vi.advanceTimersByTimeAsync(7_000);
  expect(shop.fetches).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(slow.fetches).toBe(2);
  expect(client.getQueryData(["slow"])).toBe(1);
});

test("after a connection all is fetched again, also what was being fetched before it", async () => {
  const { client, shop, observer, refetchAll } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  void client.invalidateQueries();
  await vi.advanceTimersByTimeAsync(200);
  shop.version = 7;
  const ended = refetchAll().then(() => observer.getCurrentResult().data);
  await vi.advanceTimersByTimeAsync(300);
  expect(await ended).toBe(7);
});

test("a query of other topics is not fetched", async () => {
  const { shop, refetch } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  refetch(["items"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shop.fetches).toBe(1);
});

test("a query that is not shown becomes stale", async () => {
  const { client, shop, change, close } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  close();
  change();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(shop.fetches).toBe(1);
  expect(client.getQueryState(["shown"])?.isInvalidated).toBe(true);
});

test("figures are fetched again when the server's cache has expired", async () => {
  const { shop, refetch } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  for (const _ of [1, 2]) {
    refetch(["figures"]);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(shop.fetches).toBe(3);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(shop.fetches).toBe(4);
});

test("a query that shows a change before it is stored is fetched after it", async () => {
  const { client, shop, observer, change } = setUp({ mutationKey: ["edit"] });
  await vi.advanceTimersByTimeAsync(300);
  const stored = Promise.withResolvers<void>();
  const edit = new MutationObserver(client, {
    mutationKey: ["edit"],
    mutationFn: () => stored.promise,
  });
  void edit.mutate();
  change();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(shop.fetches).toBe(1);
  stored.resolve();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(observer.getCurrentResult().data).toBe(1);
});
