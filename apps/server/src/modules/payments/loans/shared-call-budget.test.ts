import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type CallBudget, createSharedCallBudget, type Priority } from "./call-budget.ts";

const shop = useDatabase(sqlite);
const START = 1_000_000;
let transactions: number;
let budget: CallBudget;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await shop.database.db.deleteFrom("call_budget").execute();
  transactions = 0;
  const counting: Database = {
    ...shop.database,
    inTransaction(work) {
      transactions += 1;
      return shop.database.inTransaction(work);
    },
  };
  const start = performance.now();
  budget = createSharedCallBudget(counting, () => START + performance.now() - start);
});
afterEach(() => {
  vi.useRealTimers();
});

async function take(count: number, priority: Priority): Promise<boolean[]> {
  const granted: boolean[] = [];
  for (let index = 0; index < count; index += 1) granted.push(await budget.take(priority));
  return granted;
}

/**
 * Retries every 10 ms until the database is queried again.
 *
 * @returns the time until then in milliseconds, and whether that query granted the call
 */
async function retry(priority: Priority): Promise<{ waited: number; granted: boolean }> {
  const before = transactions;
  for (let waited = 0; waited < 10_000; waited += 10) {
    const granted = await budget.take(priority);
    if (transactions > before) return { waited, granted };
    vi.advanceTimersByTime(10);
  }
  throw new Error("the database is not queried any more");
}

test("a caller for whom no call is left does not query the database again before there can be one", async () => {
  expect(await take(6, "urgent")).toEqual([true, true, true, true, true, false]);
  expect(await retry("urgent")).toEqual({ waited: 200, granted: true });
  expect(transactions).toBe(7);
});

test.each<[Priority, wait: number]>([
  ["urgent", 200],
  ["bound", 400],
  ["unbound", 600],
])("after all calls are used, the next %s call waits %i ms", async (priority, wait) => {
  await take(1, "unbound");
  await take(4, "urgent");
  expect(await budget.take(priority)).toBe(false);
  expect(await retry(priority)).toEqual({ waited: wait, granted: true });
});

test("an unbound call, whose reserved call is left, waits for the calls that others have used", async () => {
  await take(5, "urgent");
  expect(await budget.take("unbound")).toBe(false);
  expect(await retry("unbound")).toEqual({ waited: 200, granted: true });
});

test("an unbound call waits only until its reserved call is refilled", async () => {
  await take(1, "unbound");
  vi.advanceTimersByTime(600);
  await take(5, "urgent");
  expect(await budget.take("unbound")).toBe(false);
  expect(await retry("unbound")).toEqual({ waited: 400, granted: true });
});

test("during a pause the database is not queried for calls", async () => {
  await budget.pause(3_000);
  expect(await budget.take("urgent")).toBe(false);
  expect(await retry("urgent")).toEqual({ waited: 3_000, granted: true });
  await budget.pause(1_000);
  expect(await budget.take("bound")).toBe(false);
});

test("a shorter pause does not end a longer one", async () => {
  await budget.pause(3_000);
  await budget.pause(1_000);
  vi.advanceTimersByTime(2_000);
  expect(await budget.take("urgent")).toBe(false);
});

test("a refusal of one priority does not refuse calls of a higher one", async () => {
  expect(await take(4, "unbound")).toEqual([true, true, true, false]);
  expect(await take(2, "bound")).toEqual([true, false]);
  expect(await take(2, "urgent")).toEqual([true, false]);
});
