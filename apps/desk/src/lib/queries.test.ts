import { ApiError } from "@keepsats/client";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { concerns, createApplyChanges, createQueryClient, sessionKey } from "./queries.ts";

test("a change concerns the queries of its topics, and no others", () => {
  const changes = { topics: ["orders", "figures"] as const, orders: ["a"] };
  expect(concerns(changes, { topics: ["orders"] })).toBe(true);
  expect(concerns(changes, { topics: ["mismatches", "figures"] })).toBe(true);
  expect(concerns(changes, { topics: ["items"] })).toBe(false);
  expect(concerns(changes, {})).toBe(false);
  expect(concerns(changes, undefined)).toBe(false);
});

test("a change of orders concerns the screens of those orders", () => {
  const subject = { topics: ["orders", "deliveries"] as const, order: "a" };
  expect(concerns({ topics: ["orders"], orders: ["a", "b"] }, subject)).toBe(true);
  expect(concerns({ topics: ["orders"], orders: ["b"] }, subject)).toBe(false);
  expect(concerns({ topics: ["deliveries"], orders: ["b"] }, subject)).toBe(true);
});

test("a change of too many orders to be named concerns the screen of each order", () => {
  expect(concerns({ topics: ["orders"] }, { topics: ["orders"], order: "a" })).toBe(true);
});

/** A client that has read orders for a member of staff. */
function readFor(id: string) {
  const client = createQueryClient();
  const signIn = (staffId: string, name = "Ada") =>
    client.setQueryData(sessionKey, { staff: { id: staffId, name } });
  signIn(id);
  client.setQueryData(["orders"], "the customers of the shop");
  return { client, signIn, kept: () => client.getQueryData(["orders"]) };
}

test("what was read for somebody is forgotten when their session ends, however that is learned", async () => {
  const told = readFor("ada");
  told.client.setQueryData(sessionKey, null);
  expect(told.kept()).toBeUndefined();
  const refused = readFor("ada");
  const queryFn = () => Promise.reject(new ApiError("x", { status: 401, problem: undefined }));
  await expect(
    refused.client.fetchQuery({ queryKey: ["items"], queryFn, retry: false }),
  ).rejects.toThrow();
  expect(refused.kept()).toBeUndefined();
  expect(refused.client.getQueryData(sessionKey)).toBeNull();
});

test("what was read for somebody is forgotten when somebody else signs in, and kept while they stay", () => {
  const { signIn, kept } = readFor("ada");
  signIn("ada", "Ada L.");
  expect(kept()).toBeDefined();
  signIn("bob");
  expect(kept()).toBeUndefined();
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("what follows late is read again after a while, and what follows at once is not", () => {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  });
  const isRead = (name: string) => client.getQueryState([name])?.isInvalidated;
  const meta = {
    late: { isLate: true, topics: ["orders"] },
    prompt: { topics: ["orders"] },
  } as const;
  for (const name of ["late", "prompt"] as const) {
    client.getQueryCache().build(client, { queryKey: [name], meta: meta[name] });
    client.setQueryData([name], "read");
  }
  const apply = createApplyChanges(client);
  apply({ topics: ["orders"] });
  apply({ topics: ["items"] });
  expect([isRead("late"), isRead("prompt")]).toEqual([true, true]);
  for (const name of ["late", "prompt"]) client.setQueryData([name], "read again");
  expect([isRead("late"), isRead("prompt")]).toEqual([false, false]);
  vi.advanceTimersByTime(1_500);
  expect([isRead("late"), isRead("prompt")]).toEqual([true, false]);
  client.setQueryData(["late"], "read once more");
  vi.advanceTimersByTime(3_500);
  expect([isRead("late"), isRead("prompt")]).toEqual([true, false]);
});

test("a change shortly before a late reading is read again when the server has followed it", () => {
  const client = new QueryClient();
  const meta = { isLate: true, topics: ["orders"] } as const;
  client.getQueryCache().build(client, { queryKey: ["late"], meta });
  const apply = createApplyChanges(client);
  apply({ topics: ["orders"] });
  vi.advanceTimersByTime(1_400);
  apply({ topics: ["orders"] });
  client.setQueryData(["late"], "read at once");
  vi.advanceTimersByTime(100);
  expect(client.getQueryState(["late"])?.isInvalidated).toBe(true);
  client.setQueryData(["late"], "read too early for the second change");
  vi.advanceTimersByTime(1_500);
  expect(client.getQueryState(["late"])?.isInvalidated).toBe(true);
});
