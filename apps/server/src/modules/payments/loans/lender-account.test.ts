import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createReadLenderId, RETRY_AFTER_SECONDS } from "./lender-account.ts";
import type { Answer } from "./loan-provider.ts";

const RETRY_AFTER = RETRY_AFTER_SECONDS * 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The account at a provider whose answer tests can set. It counts the requests. */
function anAccount() {
  const state = {
    answer: { kind: "found", value: "shop" } as Answer<string>,
    requests: 0,
  };
  const provider = {
    async lenderId() {
      state.requests += 1;
      return state.answer;
    },
  };
  const readLenderId = createReadLenderId(provider);
  return { state, readLenderId };
}

test("the lender id is read once, and concurrent callers share the request", async () => {
  const { state, readLenderId } = anAccount();
  expect(await Promise.all([readLenderId(), readLenderId()])).toEqual(["shop", "shop"]);
  vi.advanceTimersByTime(10 * RETRY_AFTER);
  expect(await readLenderId()).toBe("shop");
  expect(state.requests).toBe(1);
});

test("a lender id that cannot be read is read again after the retry interval, and not before", async () => {
  const { state, readLenderId } = anAccount();
  state.answer = { kind: "unavailable", why: "it is away" };
  expect(await readLenderId()).toBeUndefined();
  state.answer = { kind: "found", value: "shop" };
  vi.advanceTimersByTime(RETRY_AFTER - 1);
  expect(await readLenderId()).toBeUndefined();
  expect(state.requests).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await readLenderId()).toBe("shop");
  expect(state.requests).toBe(2);
});

test("a request that throws is made again by the next caller", async () => {
  let requests = 0;
  const readLenderId = createReadLenderId({
    async lenderId() {
      requests += 1;
      if (requests === 1) throw new Error("a fault");
      return { kind: "found", value: "shop" };
    },
  });
  await expect(readLenderId()).rejects.toThrow("a fault");
  expect(await readLenderId()).toBe("shop");
});
