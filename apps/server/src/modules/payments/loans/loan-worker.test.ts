import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aStoredLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import type { CheckLoan, CheckResult } from "./check-loan.ts";
import { findDueLoans, queueLoans } from "./loan-queue.ts";
import { saveLoan } from "./loan-repository.ts";
import { createLoanWorker } from "./loan-worker.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("loans with subscribers", () => {
  const INTERVAL = 2_000;

  beforeEach(() => {
    vi.useFakeTimers();
  });

  /** Creates a worker, with a provider that answers this many questions a second. */
  function workerOver(callsPerSecond = 0) {
    const provider = { failing: new Set<string>(), done: new Set<string>() };
    let [calls, at] = [callsPerSecond, Date.now()];
    const [checks, asked, errors]: [string[], string[], unknown[]] = [[], [], []];
    const results: CheckResult[] = [];
    const worker = createLoanWorker({
      async check({ loanId }) {
        checks.push(loanId);
        if (provider.failing.has(loanId)) throw new Error("it cannot be settled");
        const isDone = provider.done.has(loanId);
        calls = Math.min(callsPerSecond, calls + ((Date.now() - at) / 1000) * callsPerSecond);
        at = Date.now();
        const isDeferred = !isDone && calls < 1;
        if (!isDone && !isDeferred) {
          calls -= 1;
          asked.push(loanId);
        }
        return { isBound: true, isDone, outcome: "seen", isDeferred };
      },
      findDue: async () => [],
      sweep: async () => {},
      times: {
        subscribedInterval: INTERVAL,
        checkRoundInterval: INTERVAL,
        sweepCheckInterval: INTERVAL,
      },
      onError: (error) => errors.push(error),
    });
    const watch = (loanId: string) =>
      worker.watch({ orderId: loanId, loanId }, { client: "a", holdsKey: false }, (result) =>
        results.push(result),
      );
    const pass = async (milliseconds: number) => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      return { checks: checks.splice(0), asked: asked.splice(0) };
    };
    return { provider, worker, watch, pass, results, errors };
  }

  const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

  test("a loan is checked at once, and again after the interval or up to a quarter later", async () => {
    const { watch, pass } = workerOver(5);
    watch("c");
    expect((await pass(0)).checks).toEqual(["c"]);
    expect((await pass(INTERVAL - 1)).checks).toEqual([]);
    expect((await pass(INTERVAL / 4 + 1)).checks).toEqual(["c"]);
  });

  test("with more loans than calls, each loan gets its share of the calls", async () => {
    const { watch, pass } = workerOver(5);
    for (const name of names(40)) watch(name);
    const { asked } = await pass(200 * INTERVAL);
    const counts = names(40).map((name) => asked.filter((one) => one === name).length);
    expect(Math.min(...counts), "45 on average").toBeGreaterThan(20);
    expect(Math.max(...counts)).toBeLessThan(90);
  });

  test("a thousand loans that belong to their orders are each checked about once a minute", async () => {
    const { watch, pass } = workerOver();
    for (const name of names(1_000)) watch(name);
    await pass(120_000);
    const { checks } = await pass(60_000);
    expect(checks.length).toBeGreaterThan(800);
    expect(checks.length).toBeLessThanOrEqual(1_000);
  });

  test("a check that fails is reported, and repeated at the interval", async () => {
    const { provider, watch, pass, errors } = workerOver();
    provider.failing.add("c");
    watch("c");
    const { checks } = await pass(10 * INTERVAL);
    expect(checks.length).toBeGreaterThanOrEqual(9);
    expect(checks.length).toBeLessThanOrEqual(11);
    expect(errors).toHaveLength(checks.length);
  });

  test("a finished loan is not checked again", async () => {
    const { provider, watch, pass, results } = workerOver();
    provider.done.add("c");
    watch("c");
    expect((await pass(10 * INTERVAL)).checks).toEqual(["c"]);
    expect(results).toMatchObject([{ isDone: true }]);
  });

  test("a loan without subscribers is not checked, and its last result is not reported", async () => {
    const { watch, pass, results } = workerOver();
    watch("c")();
    expect((await pass(10 * INTERVAL)).checks).toEqual(["c"]);
    expect(results).toEqual([]);
  });

  test("after a stop nothing is checked", async () => {
    const { worker, watch, pass } = workerOver();
    for (const name of names(10)) watch(name);
    await pass(INTERVAL);
    await worker.stop();
    expect(vi.getTimerCount()).toBe(0);
    expect((await pass(10 * INTERVAL)).checks).toEqual([]);
  });
});

describe("due loans and sweeps", () => {
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

  function startWorker() {
    const check: CheckLoan = async ({ loanId }) => {
      checked.push(loanId);
      await checkOne(loanId);
      return { isBound: true, isDone: false, outcome: "seen", isDeferred: false };
    };
    const worker = createLoanWorker({
      check,
      findDue: () => findDueLoans(shop.database.db, NOW, 5),
      async sweep() {
        sweeps += 1;
        await sweepOnce();
      },
      times: {
        subscribedInterval: 2_000,
        checkRoundInterval: TICK,
        sweepCheckInterval: SWEEP_TICK,
      },
      onError: (error) => errors.push(error),
    });
    worker.start();
    return worker;
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
    const worker = startWorker();
    await pass(TICK - 1);
    expect(checked).toEqual([]);
    await pass(1);
    expect(checked).toEqual(["a", "b", "c", "d", "e"]);
    await pass(TICK);
    expect(checked).toHaveLength(10);
    await worker.stop();
  });

  test("loans that may be invented keep no bound loan from being checked", async () => {
    const { id: orderId } = await shop.stored();
    await due("a", "b", "c", "d", "e");
    await shop.within(async (unit) => {
      await queueLoans(unit, [{ orderId, loanId: "bound" }], NOW);
      await saveLoan(unit, aStoredLoan({ id: "bound", orderId, state: "active" }));
    });
    const worker = startWorker();
    await pass(TICK);
    expect(checked).toEqual(["bound", "a", "b", "c", "d", "e"]);
    await worker.stop();
  });

  test("the next checks are searched for after all checks have ended", async () => {
    const slow = Promise.withResolvers<void>();
    checkOne = (loanId) => (loanId === "b" ? slow.promise : Promise.resolve());
    await due("a", "b");
    const worker = startWorker();
    await pass(TICK);
    await pass(10 * TICK);
    expect(checked).toEqual(["a", "b"]);
    slow.resolve();
    await pass(0);
    await pass(TICK);
    expect(checked).toEqual(["a", "b", "a", "b"]);
    await worker.stop();
  });

  test("a check or sweep that fails is reported, and the next ones are run", async () => {
    const fault = new Error("it cannot be settled");
    checkOne = () => Promise.reject(fault);
    sweepOnce = () => Promise.reject(fault);
    await due("a");
    const worker = startWorker();
    await pass(TICK);
    await pass(TICK);
    expect(checked).toEqual(["a", "a"]);
    expect(errors).toEqual([fault, fault]);
    await pass(SWEEP_TICK - 2 * TICK);
    expect(sweeps).toBe(1);
    await pass(SWEEP_TICK);
    expect(sweeps).toBe(2);
    await worker.stop();
  });

  test("a slow check does not delay the sweeps; to stop waits for the check and starts no other", async () => {
    const slow = Promise.withResolvers<void>();
    checkOne = () => slow.promise;
    await due("a");
    const worker = startWorker();
    await pass(SWEEP_TICK);
    await pass(SWEEP_TICK);
    expect(sweeps).toBe(2);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    await pass(SWEEP_TICK);
    expect([stopped, sweeps, checked]).toEqual([false, 2, ["a"]]);
    slow.resolve();
    await stopping;
    await pass(SWEEP_TICK);
    expect([sweeps, checked]).toEqual([2, ["a"]]);
  });
});
