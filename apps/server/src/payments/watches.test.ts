import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CheckLoan } from "./check-loan.ts";
import type { CheckResult } from "./check-result.ts";
import { createWatches } from "./watches.ts";

const INTERVAL = 2_000;
const TURN = 500;
const AT_A_TIME = 20;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Behaviour {
  readonly bound?: boolean;
  /** What the checks of some loans find. */
  readonly findings?: Readonly<Record<string, CheckResult["finding"]>>;
}

/** Watches with this check. @returns also a function that watches the loan of a name */
function watchesWith(check: CheckLoan) {
  const errors: unknown[] = [];
  const watches = createWatches({
    check,
    interval: INTERVAL,
    turn: TURN,
    onError: (error) => errors.push(error),
  });
  const watch = (contractId: string) => watches.watch({ orderId: contractId, contractId }, () => {});
  return { watches, watch, errors };
}

/** Watches over loans that are under way, of a provider that answers `calls` more questions. */
function watchesOver({ bound = true, findings = {} }: Behaviour = {}) {
  const provider = { calls: 0, failing: new Set<string>(), done: new Set<string>() };
  const checks: string[] = [];
  const asked: string[] = [];
  const { watches, watch, errors } = watchesWith(async ({ contractId }) => {
    checks.push(contractId);
    if (provider.failing.has(contractId)) throw new Error("it cannot be settled");
    const finding = findings[contractId] ?? "seen";
    if (provider.done.has(contractId)) return { bound, done: true, finding, deferred: false };
    const deferred = provider.calls === 0;
    if (!deferred) {
      provider.calls -= 1;
      asked.push(contractId);
    }
    return { bound, done: false, finding, deferred };
  });
  const pass = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return { checks: checks.splice(0), asked: asked.splice(0) };
  };
  return { provider, watches, watch, pass, errors };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

test("a loan is checked at once, and then every few seconds", async () => {
  const { provider, watch, pass } = watchesOver();
  provider.calls = 100;
  watch("c");
  expect((await pass(0)).checks).toEqual(["c"]);
  expect((await pass(3 * INTERVAL)).checks).toEqual(["c", "c", "c"]);
});

test("a thousand bound loans that wait for the provider cost no more checks than a few", async () => {
  const { watch, pass } = watchesOver();
  for (const name of names(1_000)) watch(name);
  await pass(INTERVAL);
  const { checks } = await pass(10_000);
  expect(checks.length).toBeGreaterThan(0);
  expect(checks.length).toBeLessThanOrEqual((10_000 / TURN) * AT_A_TIME);
});

test("each has its turn: who has waited longest is asked about first, who was asked about comes last", async () => {
  const { provider, watch, pass } = watchesOver();
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

test("a loan that nobody follows any more leaves the queue", async () => {
  const { provider, watches, watch, pass } = watchesOver();
  const [first, ...others] = names(6).map(watch);
  await pass(TURN);
  first?.();
  provider.calls = 1;
  expect((await pass(TURN)).asked).toEqual(["c1"]);
  for (const end of others) end();
  provider.calls = 100;
  expect((await pass(10 * INTERVAL)).checks).toEqual([]);
  watches.close();
});

test("loans that are not known to belong to their orders do not wait in the queue: another process may find it out", async () => {
  const { watch, pass } = watchesOver({ bound: false });
  for (const name of names(20)) watch(name);
  await pass(0);
  expect((await pass(INTERVAL)).checks).toEqual(names(20));
});

test("a loan does not wait in the queue whose shopper was told that the provider cannot be reached", async () => {
  const { watch, pass } = watchesOver({ findings: { told: "unreachable" } });
  for (const name of names(100)) watch(name);
  await pass(TURN);
  watch("told");
  const { checks } = await pass(10 * INTERVAL);
  expect(checks.filter((name) => name === "told")).toHaveLength(11);
});

test("while every check fails no loan is checked more often, and afterwards each has its turn", async () => {
  const { provider, watch, pass, errors } = watchesOver();
  for (const name of names(200)) watch(name);
  await pass(TURN);
  for (const name of names(200)) provider.failing.add(name);
  const { checks } = await pass(10_000);
  expect(errors).toHaveLength(checks.length);
  expect(checks.length).toBeLessThanOrEqual((10_000 / TURN) * AT_A_TIME);
  provider.failing.clear();
  provider.calls = 200;
  expect(new Set((await pass(INTERVAL + TURN)).asked)).toEqual(new Set(names(200)));
});

test("loans whose checks fail every time do not keep others from their turn", async () => {
  const { provider, watch, pass } = watchesOver();
  for (const name of names(20)) watch(name);
  await pass(TURN);
  for (const name of names(10)) provider.failing.add(name);
  provider.calls = 10;
  expect((await pass(3 * TURN)).asked).toEqual(names(20).slice(10));
});

test("a loan whose check fails every time is checked as seldom as any other", async () => {
  const { provider, watch, pass } = watchesOver();
  watch("c");
  await pass(TURN);
  provider.failing.add("c");
  expect((await pass(10 * INTERVAL)).checks.length).toBeLessThanOrEqual(11);
});

test("however long checks take, each turn begins only so many", async () => {
  let begun = 0;
  const { watches, watch } = watchesWith(async () => {
    begun += 1;
    await new Promise((resolve) => setTimeout(resolve, 1.5 * TURN));
    return { bound: true, done: begun > 1_000, finding: "seen", deferred: begun <= 1_000 };
  });
  for (const name of names(1_000)) watch(name);
  await vi.advanceTimersByTimeAsync(2 * TURN);
  begun = 1_001;
  await vi.advanceTimersByTimeAsync(10 * TURN);
  expect(begun - 1_001).toBeLessThanOrEqual(10 * AT_A_TIME);
  expect(begun - 1_001).toBeGreaterThan(5 * AT_A_TIME);
  watches.close();
});

test("loans with nothing left to ask take up nobody's turn", async () => {
  const { provider, watch, pass } = watchesOver();
  for (const name of names(1_001)) watch(name);
  await pass(TURN);
  for (const name of names(1_000)) provider.done.add(name);
  provider.calls = 1;
  expect((await pass(TURN)).asked).toEqual(["c1000"]);
});

test("a provider that takes long to answer does not hold up the queue", async () => {
  const asked: string[] = [];
  let calls = 0;
  const { watches, watch } = watchesWith(async ({ contractId }) => {
    const deferred = calls === 0;
    if (!deferred) {
      calls -= 1;
      asked.push(contractId);
      await new Promise(() => {});
    }
    return { bound: true, done: false, finding: "seen", deferred };
  });
  for (const name of names(10)) watch(name);
  await vi.advanceTimersByTimeAsync(TURN);
  for (let turns = 1; turns <= 3; turns += 1) {
    calls = 2;
    await vi.advanceTimersByTimeAsync(TURN);
    expect(asked).toEqual(names(2 * turns));
  }
  watches.close();
});

test("when it is closed nothing is checked any more", async () => {
  const { watches, watch, pass } = watchesOver();
  for (const name of names(10)) watch(name);
  await pass(INTERVAL);
  watches.close();
  expect(vi.getTimerCount()).toBe(0);
  expect((await pass(10 * INTERVAL)).checks).toEqual([]);
});
