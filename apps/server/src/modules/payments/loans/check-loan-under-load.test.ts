import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStoredLoan } from "../../../../../../test/harness/builders.ts";
import { type Database, unobserved } from "../../../platform/database/database.ts";
import { openSqlite } from "../../../platform/database/sqlite.ts";
import { paymentTimes } from "../index.ts";
import { createCheckLoan } from "./check-loan.ts";
import type { Answer, Loan, LoanProvider } from "./loan-provider.ts";
import { saveLoan } from "./loan-repository.ts";

let folder: string;
let database: Database;
let commits = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  database = openSqlite(join(folder, "shop.db"), {
    ...unobserved,
    committed: () => (commits += 1),
  });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/**
 * A provider with a limited number of calls. It is unavailable until it is given another answer.
 */
function aProvider({ questions = 0, reachable = true } = {}) {
  const provider = {
    questions,
    reachable,
    answer: (_id: string): Answer<Loan> => ({ kind: "unavailable", why: "it is away" }),
    lenderId: async () => ({ kind: "deferred" as const }),
    loans: async () => ({ kind: "deferred" as const }),
    async takeLoanCall() {
      if (provider.questions === 0) return undefined;
      provider.questions -= 1;
      return async (id: string) => provider.answer(id);
    },
  };
  return provider satisfies LoanProvider;
}

function checkWith(provider: LoanProvider, now = () => 1_000) {
  return createCheckLoan({
    database: { ...database, now },
    provider,
    settle: async () => ({ kind: "bound" }),
    statusOf: async () => "PaymentProcessing",
    times: paymentTimes,
  });
}

let made = 0;
/** An order with a loan that is in progress, bound or not yet known. */
async function aKey({ isBound }: { isBound: boolean }) {
  made += 1;
  const orderId = `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
  const key = { orderId, loanId: `c${made}` };
  await database.inTransaction(async (unit) => {
    const empty = {
      customer_name: "",
      customer_email: "",
      shipping_address: "{}",
      billing_address: "{}",
    };
    const order = {
      id: orderId,
      status: "PaymentProcessing" as const,
      version: 1,
      attempt_failed: 0,
      total: 1,
    };
    await unit.db
      .insertInto("orders")
      .values({ ...order, created_at: 1, ...empty })
      .execute();
    if (isBound)
      await saveLoan(unit, aStoredLoan({ id: key.loanId, orderId, state: "active", updatedAt: 0 }));
  });
  return key;
}

const checks = () => database.db.selectFrom("payment_checks").selectAll().execute();

test("a deferred check of a queued loan stores nothing, because there may be thousands a second", async () => {
  const check = checkWith(aProvider());
  const keys = await Promise.all(Array.from({ length: 100 }, () => aKey({ isBound: true })));
  await Promise.all(keys.map((key) => check(key)));
  commits = 0;
  const before = await checks();
  for (let round = 0; round < 3; round += 1) {
    for (const result of await Promise.all(keys.map((key) => check(key)))) {
      expect(result).toEqual({ isBound: true, isDone: false, outcome: "seen", isDeferred: true });
    }
  }
  expect(commits).toBe(0);
  expect(await checks()).toEqual(before);
});

test("a client that presents sixty invented loans leaves most calls to other clients", async () => {
  const provider = aProvider({ questions: 20 });
  const asked: string[] = [];
  provider.answer = (id) => {
    asked.push(id);
    return { kind: "absent" };
  };
  const check = checkWith(provider);
  const invented = await Promise.all(Array.from({ length: 60 }, () => aKey({ isBound: false })));
  await Promise.all(invented.map((key) => check(key, { client: "192.0.2.1", holdsKey: false })));
  expect(asked.length).toBeLessThanOrEqual(5);
  const own = await aKey({ isBound: false });
  await check(own, { client: "192.0.2.2", holdsKey: false });
  const withKey = await aKey({ isBound: false });
  await check(withKey, { client: "192.0.2.1", holdsKey: true });
  expect(asked.slice(-2)).toEqual([own.loanId, withKey.loanId]);
});

test("loans that are invented with the key of one order leave calls to the other orders of an address", async () => {
  const provider = aProvider({ questions: 20 });
  provider.answer = () => ({ kind: "absent" });
  const check = checkWith(provider);
  const presenter = { client: "192.0.2.1", holdsKey: true };
  const { orderId, loanId } = await aKey({ isBound: false });
  for (let count = 0; count < 10; count += 1)
    await check({ orderId, loanId: `${loanId} ${count}` }, presenter);
  const outcome = async () => (await check(await aKey({ isBound: false }), presenter)).outcome;
  expect(await outcome()).toBe("absent");
});

test("unknown loans are stored before they wait for a call, once and in one transaction", async () => {
  const check = checkWith(aProvider());
  const keys = await Promise.all(Array.from({ length: 100 }, () => aKey({ isBound: false })));
  commits = 0;
  for (let round = 0; round < 3; round += 1) {
    for (const result of await Promise.all(keys.map((key) => check(key)))) {
      expect(result).toEqual({
        isBound: false,
        isDone: false,
        outcome: "waiting",
        isDeferred: true,
      });
    }
  }
  expect(commits).toBeLessThanOrEqual(2);
  const noted = (await checks()).filter(({ order_id }) =>
    keys.some(({ orderId }) => orderId === order_id),
  );
  expect(noted).toHaveLength(100);
  for (const row of noted)
    expect(row).toMatchObject({ outcome: "waiting", leased_until: 0, next_at: 1_000 });
});

test("the checks of paid loans are removed in one transaction", async () => {
  const check = checkWith(aProvider());
  const keys = await Promise.all(Array.from({ length: 100 }, () => aKey({ isBound: false })));
  await Promise.all(keys.map((key) => check(key)));
  const ids = keys.map(({ loanId }) => loanId);
  await database.inTransaction(async (unit) => {
    for (const { loanId: id, orderId } of keys) {
      await saveLoan(unit, aStoredLoan({ id, orderId, providerStatus: "repaid" }));
    }
  });
  commits = 0;
  for (const result of await Promise.all(keys.map((key) => check(key)))) {
    expect(result).toEqual({ isBound: true, isDone: true, outcome: "seen", isDeferred: false });
  }
  expect(commits).toBeLessThanOrEqual(2);
  expect((await checks()).filter(({ loan_id }) => ids.includes(loan_id))).toEqual([]);
});

test("unbound loans over the limit of an order cause no call", async () => {
  const provider = aProvider({ questions: 100 });
  const check = checkWith(provider);
  const { orderId } = await aKey({ isBound: false });
  for (let index = 0; index < 15; index += 1) await check({ orderId, loanId: `made-up-${index}` });
  expect(provider.questions).toBe(90);
});

test("a bound loan of an order at its limit of checks uses no call", async () => {
  const provider = aProvider();
  const check = checkWith(provider);
  const key = await aKey({ isBound: true });
  const madeUp = Array.from({ length: 10 }, (_, index) => ({
    ...key,
    loanId: `not-its-own-${index}`,
  }));
  await Promise.all(madeUp.map((key) => check(key)));
  provider.questions = 100;
  expect(await check(key)).toEqual({
    isBound: true,
    isDone: false,
    outcome: "seen",
    isDeferred: false,
  });
  expect(provider.questions).toBe(100);
});

test.each([true, false])(
  "the outcome is unreachable until the provider answers again (bound: %s)",
  async (isBound) => {
    let time = 1_000;
    const provider = aProvider({ questions: 1, reachable: false });
    const check = checkWith(provider, () => time);
    const key = await aKey({ isBound });
    expect(await check(key)).toMatchObject({ outcome: "unreachable", isDeferred: false });
    time += paymentTimes.subscribedInterval;
    expect(await check(key)).toMatchObject({ outcome: "unreachable", isDeferred: true });
    provider.reachable = true;
    expect(await check(key)).toMatchObject({
      outcome: isBound ? "seen" : "waiting",
      isDeferred: true,
    });
  },
);
