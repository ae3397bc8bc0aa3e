import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changedOrdersSince, noteChangedOrders } from "./changed-orders.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1_000);
});
afterEach(() => void vi.useRealTimers());

function note(client: QueryClient, ...orders: string[]): number {
  vi.advanceTimersByTime(10);
  noteChangedOrders(client, orders);
  return performance.now();
}

test("whoever has read at some time is told what has changed since", () => {
  const client = new QueryClient();
  noteChangedOrders(client, undefined);
  const first = note(client, "a", "b");
  const second = note(client, "b", "c");
  expect(changedOrdersSince(client, first)).toEqual(new Set(["a", "b", "c"]));
  expect(changedOrdersSince(client, second)).toEqual(new Set(["b", "c"]));
  expect(changedOrdersSince(client, second + 1)).toEqual(new Set());
});

test("before the first connection, and after unnamed changes, any order may have changed", () => {
  const client = new QueryClient();
  expect(changedOrdersSince(client, performance.now())).toBe("all");
  const read = note(client, "a");
  noteChangedOrders(client, undefined);
  expect(changedOrdersSince(client, read)).toBe("all");
  expect(changedOrdersSince(client, performance.now() + 1)).toEqual(new Set());
});

test("changes of long ago are forgotten, and said to be", () => {
  const client = new QueryClient();
  noteChangedOrders(client, undefined);
  const first = note(client, "first");
  let last = 0;
  for (let at = 0; at < 500; at += 1) last = note(client, `order ${at}`);
  expect(changedOrdersSince(client, first)).toBe("all");
  expect(changedOrdersSince(client, last)).toEqual(new Set(["order 499"]));
});
