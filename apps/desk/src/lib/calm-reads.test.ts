import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCalmReads } from "./calm-reads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A query that is shown; each reading takes 300 ms and has the version of its beginning. */
function setUp() {
  const client = new QueryClient();
  const shop = { version: 0, reads: 0, open: 0, most: 0 };
  const queryFn = async () => {
    const { version } = shop;
    shop.reads += 1;
    shop.open += 1;
    shop.most = Math.max(shop.most, shop.open);
    await new Promise((resolve) => setTimeout(resolve, 300));
    shop.open -= 1;
    return version;
  };
  const observer = new QueryObserver(client, { queryKey: ["shown"], queryFn, staleTime: 60_000 });
  const close = observer.subscribe(() => {});
  const readCalmly = createCalmReads(client);
  const change = () => {
    shop.version += 1;
    const query = client.getQueryCache().find({ queryKey: ["shown"] });
    if (query !== undefined) readCalmly(query);
  };
  return { client, shop, observer, change, close };
}

test("a change is read at once, and many changes at most once a second, the last one too", async () => {
  const { shop, observer, change } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  expect(shop.reads).toBe(1);
  change();
  await vi.advanceTimersByTimeAsync(300);
  expect(observer.getCurrentResult().data).toBe(1);
  for (let at = 0; at < 40; at += 1) {
    change();
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(shop.reads).toBeLessThanOrEqual(11);
  expect(shop.most).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(observer.getCurrentResult().data).toBe(41);
});

test("a change during the first reading is read after it", async () => {
  const { observer, change } = setUp();
  await vi.advanceTimersByTimeAsync(100);
  change();
  await vi.advanceTimersByTimeAsync(700);
  expect(observer.getCurrentResult().data).toBe(1);
});

test("what is not shown is marked, and read when it is shown", async () => {
  const { client, shop, change, close } = setUp();
  await vi.advanceTimersByTimeAsync(300);
  close();
  change();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(shop.reads).toBe(1);
  expect(client.getQueryState(["shown"])?.isInvalidated).toBe(true);
});
