import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CheckLoan, CheckResult, Presenter } from "./check-loan.ts";
import { createLoanWorker } from "./loan-worker.ts";

const INTERVAL = 2_000;
const TURN = 500;
const WORKERS = 20;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Behaviour {
  readonly isBound?: boolean;
  /** The results of the checks of some loans. */
  readonly findings?: Readonly<Record<string, CheckResult["finding"]>>;
}

/** Creates a worker with this check. Also returns a function that watches the loan with a name. */
function workerWith(check: CheckLoan) {
  const errors: unknown[] = [];
  const worker = createLoanWorker({
    check,
    findDue: async () => [],
    sweep: async () => {},
    times: { subscribedInterval: INTERVAL, checkRoundInterval: TURN, sweepCheckInterval: INTERVAL },
    onError: (error) => errors.push(error),
  });
  const watch = (loanId: string, presenter: Presenter = { client: "a", holdsKey: false }) =>
    worker.watch({ orderId: loanId, loanId }, presenter, () => {});
  return { worker, watch, errors };
}

/** Creates a worker, with a provider that answers `calls` more questions. */
function workerOver({ isBound = true, findings = {} }: Behaviour = {}) {
  const provider = { calls: 0, failing: new Set<string>(), done: new Set<string>() };
  const checks: string[] = [];
  const asked: string[] = [];
  const { worker, watch, errors } = workerWith(async ({ loanId }) => {
    checks.push(loanId);
    if (provider.failing.has(loanId)) throw new Error("it cannot be settled");
    const finding = findings[loanId] ?? "seen";
    if (provider.done.has(loanId)) return { isBound, isDone: true, finding, isDeferred: false };
    const isDeferred = provider.calls === 0;
    if (!isDeferred) {
      provider.calls -= 1;
      asked.push(loanId);
    }
    return { isBound, isDone: false, finding, isDeferred };
  });
  const pass = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return { checks: checks.splice(0), asked: asked.splice(0) };
  };
  return { provider, worker, watch, pass, errors };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

test("a loan is checked at once, and then at the interval", async () => {
  const { provider, watch, pass } = workerOver();
  provider.calls = 100;
  watch("c");
  expect((await pass(0)).checks).toEqual(["c"]);
  expect((await pass(3 * INTERVAL)).checks).toEqual(["c", "c", "c"]);
});

test("a thousand queued loans cause no more checks than a few", async () => {
  const { watch, pass } = workerOver();
  for (const name of names(1_000)) watch(name);
  await pass(INTERVAL);
  const { checks } = await pass(10_000);
  expect(checks.length).toBeGreaterThan(0);
  expect(checks.length).toBeLessThanOrEqual((10_000 / TURN) * WORKERS);
});

test("the queue is first in, first out: a checked loan goes to the end", async () => {
  const { provider, watch, pass } = workerOver();
  for (const name of names(8)) watch(name);
  await pass(TURN);
  const asked: string[] = [];
  while (asked.length < 16) {
    provider.calls = 2;
    asked.push(...(await pass(INTERVAL)).asked);
    provider.calls = 0;
  }
  expect(asked).toEqual([...names(8), ...names(8)]);
});

test("loans with the order's key wait before the others", async () => {
  const { provider, watch, pass } = workerOver();
  for (const name of names(6)) watch(name);
  watch("with the key", { client: "192.0.2.1", holdsKey: true });
  await pass(TURN);
  provider.calls = 2;
  expect((await pass(TURN)).asked).toEqual(["with the key", "c0"]);
});

test("a loan without subscribers leaves the queue", async () => {
  const { provider, worker, watch, pass } = workerOver();
  const [first, ...others] = names(6).map((name) => watch(name));
  await pass(TURN);
  first?.();
  provider.calls = 1;
  expect((await pass(TURN)).asked).toEqual(["c1"]);
  for (const end of others) end();
  provider.calls = 100;
  expect((await pass(10 * INTERVAL)).checks).toEqual([]);
  await worker.stop();
});

test("unbound loans do not wait in the queue, because another process may bind them", async () => {
  const { watch, pass } = workerOver({ isBound: false });
  for (const name of names(20)) watch(name);
  await pass(0);
  expect((await pass(INTERVAL)).checks).toEqual(names(20));
});

test("a loan whose last finding is unreachable does not wait in the queue", async () => {
  const { watch, pass } = workerOver({ findings: { unreachable: "unreachable" } });
  for (const name of names(100)) watch(name);
  await pass(TURN);
  watch("unreachable");
  const { checks } = await pass(10 * INTERVAL);
  expect(checks.filter((name) => name === "unreachable")).toHaveLength(11);
});

test("failing checks do not make checks more frequent, and the queue goes on after them", async () => {
  const { provider, watch, pass, errors } = workerOver();
  for (const name of names(200)) watch(name);
  await pass(TURN);
  for (const name of names(200)) provider.failing.add(name);
  const { checks } = await pass(10_000);
  expect(errors).toHaveLength(checks.length);
  expect(checks.length).toBeLessThanOrEqual((10_000 / TURN) * WORKERS);
  provider.failing.clear();
  provider.calls = 200;
  expect(new Set((await pass(INTERVAL + TURN)).asked)).toEqual(new Set(names(200)));
});

test("loans whose checks always fail do not block others in the queue", async () => {
  const { provider, watch, pass } = workerOver();
  for (const name of names(20)) watch(name);
  await pass(TURN);
  for (const name of names(10)) provider.failing.add(name);
  provider.calls = 10;
  expect((await pass(3 * TURN)).asked).toEqual(names(20).slice(10));
});

test("a loan whose check always fails is checked at the same interval", async () => {
  const { provider, watch, pass } = workerOver();
  watch("c");
  await pass(TURN);
  provider.failing.add("c");
  expect((await pass(10 * INTERVAL)).checks.length).toBeLessThanOrEqual(11);
});

test("each round starts a limited number of checks, however long they take", async () => {
  let begun = 0;
  const { worker, watch } = workerWith(async () => {
    begun += 1;
    await new Promise((resolve) => setTimeout(resolve, 1.5 * TURN));
    return { isBound: true, isDone: begun > 1_000, finding: "seen", isDeferred: begun <= 1_000 };
  });
  for (const name of names(1_000)) watch(name);
  await vi.advanceTimersByTimeAsync(2 * TURN);
  begun = 1_001;
  await vi.advanceTimersByTimeAsync(10 * TURN);
  expect(begun - 1_001).toBeLessThanOrEqual(10 * WORKERS);
  expect(begun - 1_001).toBeGreaterThan(5 * WORKERS);
  await worker.stop();
});

test("finished loans do not use up a round", async () => {
  const { provider, watch, pass } = workerOver();
  for (const name of names(1_001)) watch(name);
  await pass(TURN);
  for (const name of names(1_000)) provider.done.add(name);
  provider.calls = 1;
  expect((await pass(TURN)).asked).toEqual(["c1000"]);
});

test("a slow provider does not block the queue", async () => {
  const asked: string[] = [];
  let calls = 0;
  const { worker, watch } = workerWith(async ({ loanId }) => {
    const isDeferred = calls === 0;
    if (!isDeferred) {
      calls -= 1;
      asked.push(loanId);
      await new Promise(() => {});
    }
    return { isBound: true, isDone: false, finding: "seen", isDeferred };
  });
  for (const name of names(10)) watch(name);
  await vi.advanceTimersByTimeAsync(TURN);
  for (let turns = 1; turns <= 3; turns += 1) {
    calls = 2;
    await vi.advanceTimersByTimeAsync(TURN);
    expect(asked).toEqual(names(2 * turns));
  }
  await worker.stop();
});

test("no further round begins once the queue is empty", async () => {
  const { provider, watch, pass } = workerOver();
  watch("c");
  await pass(0);
  provider.calls = 1;
  expect((await pass(TURN)).asked).toEqual(["c"]);
  await pass(TURN);
  // What is left is the timer of the next check.
  expect(vi.getTimerCount()).toBe(1);
});

test("after a stop nothing is checked", async () => {
  const { worker, watch, pass } = workerOver();
  for (const name of names(10)) watch(name);
  await pass(INTERVAL);
  await worker.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect((await pass(10 * INTERVAL)).checks).toEqual([]);
});
