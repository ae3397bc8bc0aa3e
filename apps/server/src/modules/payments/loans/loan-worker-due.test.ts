import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aStoredLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import type { CheckLoan } from "./check-loan.ts";
import { findDueLoans, queueLoans } from "./loan-queue.ts";
import { saveLoan } from "./loan-repository.ts";
import { createLoanWorker } from "./loan-worker.ts";

const shop = useDatabase(sqlite);
const TICK = 500;
const SWEEP_TICK = 5_000;
const NOW = 1_000;

let checked: string[];
let checkOne: (loanId: string) => Promise<void>;
let sweeps: number;
let sweepOnce: () => Promise<void>;
let errors: unknown[];

beforeEach(async () => {
  await shop.database.db.deleteFrom("payment_checks").execute();
  [checked, checkOne, sweeps, sweepOnce, errors] = [[], async () => {}, 0, async () => {}, []];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function worker() {
  const check: CheckLoan = async ({ loanId }) => {
    checked.push(loanId);
    await checkOne(loanId);
    return { isBound: true, isDone: false, finding: "seen", isDeferred: false };
  };
  return createLoanWorker({
    check,
    findDue: () => findDueLoans(shop.database.db, NOW, 5),
    async sweep() {
      sweeps += 1;
      await sweepOnce();
    },
    times: { subscribedInterval: 2_000, checkRoundInterval: TICK, sweepCheckInterval: SWEEP_TICK },
    onError: (error) => errors.push(error),
  });
}

/** Stores checks that are due, the first one most overdue. */
async function due(...loanIds: string[]): Promise<void> {
  const { id: orderId } = await shop.stored();
  for (const [index, loanId] of loanIds.entries())
    await shop.within((unit) => queueLoans(unit, [{ orderId, loanId }], NOW - 100 + index));
}

/** Lets the time pass, and waits until the queries that it causes have ended. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

test("at each interval the five most overdue checks are run", async () => {
  await due("a", "b", "c", "d", "e", "f");
  const loop = worker();
  loop.start();
  await pass(TICK - 1);
  expect(checked).toEqual([]);
  await pass(1);
  expect(checked).toEqual(["a", "b", "c", "d", "e"]);
  await pass(TICK);
  expect(checked).toHaveLength(10);
  await loop.stop();
});

test("loans that may be invented keep no bound loan from being checked", async () => {
  const { id: orderId } = await shop.stored();
  await due("a", "b", "c", "d", "e");
  await shop.within(async (unit) => {
    await queueLoans(unit, [{ orderId, loanId: "bound" }], NOW);
    await saveLoan(unit, aStoredLoan({ id: "bound", orderId, state: "active" }));
  });
  const loop = worker();
  loop.start();
  await pass(TICK);
  expect(checked).toEqual(["bound", "a", "b", "c", "d", "e"]);
  await loop.stop();
});

test("the next checks are searched for after all checks have ended", async () => {
  const slow = Promise.withResolvers<void>();
  checkOne = (loanId) => (loanId === "b" ? slow.promise : Promise.resolve());
  await due("a", "b");
  const loop = worker();
  loop.start();
  await pass(TICK);
  await pass(10 * TICK);
  expect(checked).toEqual(["a", "b"]);
  slow.resolve();
  await pass(0);
  await pass(TICK);
  expect(checked).toEqual(["a", "b", "a", "b"]);
  await loop.stop();
});

test("a check or sweep that fails is reported, and the next ones are run", async () => {
  const fault = new Error("it cannot be settled");
  checkOne = () => Promise.reject(fault);
  sweepOnce = () => Promise.reject(fault);
  await due("a");
  const loop = worker();
  loop.start();
  await pass(TICK);
  await pass(TICK);
  expect(checked).toEqual(["a", "a"]);
  expect(errors).toEqual([fault, fault]);
  await pass(SWEEP_TICK - 2 * TICK);
  expect(sweeps).toBe(1);
  await pass(SWEEP_TICK);
  expect(sweeps).toBe(2);
  await loop.stop();
});

test("a slow check does not delay the sweeps; to stop waits for the check and starts no other", async () => {
  const slow = Promise.withResolvers<void>();
  checkOne = () => slow.promise;
  await due("a");
  const loop = worker();
  loop.start();
  await pass(SWEEP_TICK);
  await pass(SWEEP_TICK);
  expect(sweeps).toBe(2);
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await pass(SWEEP_TICK);
  expect([stopped, sweeps, checked]).toEqual([false, 2, ["a"]]);
  slow.resolve();
  await stopping;
  await pass(SWEEP_TICK);
  expect([sweeps, checked]).toEqual([2, ["a"]]);
});
