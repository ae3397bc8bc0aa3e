import { beforeEach, expect, test } from "vitest";
import { aLoan, aStoredLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { slowWrites } from "../../../../../../test/harness/watched-database.ts";
import { HOUR, MINUTE } from "../../../platform/scheduling/clock.ts";
import { paymentTimes } from "../index.ts";
import type { Consequences, StoredLoan } from "../rules/index.ts";
import { type CheckResult, createCheckLoan } from "./check-loan.ts";
import type { Answer, Loan, LoanProvider } from "./loan-provider.ts";
import { type LoanCheckId, leaseCheck } from "./loan-queue.ts";
import { saveLoan } from "./loan-repository.ts";

const shop = useDatabase(sqlite);
const START = 1_000_000_000;
const {
  subscribedInterval,
  absentBackoff,
  maxAbsentBackoff,
  minUnsubscribedInterval,
  maxUnsubscribedInterval,
  unboundLifetime,
} = paymentTimes;

let key: LoanCheckId;
let time: number;
let answer: Answer<Loan>;
let settlement: Consequences["kind"];
let whileSettling: () => Promise<void>;
let status: string | undefined;
let reachable: boolean;
/** The questions: whether each was about a bound loan, and the loan's id. */
let asked: [bound: boolean, id: string][];
/** The loans that were settled, and the orders they were presented for. */
let settled: [id: string, presentedFor: string | undefined][];

beforeEach(async () => {
  const { id: orderId } = await shop.stored();
  key = { orderId, loanId: `loan of ${orderId}` };
  [time, settlement, status, reachable, asked, settled] = [START, "bound", "Pending", true, [], []];
  whileSettling = async () => {};
  answer = { kind: "found", value: aLoan({ id: key.loanId, orderId }) };
});

function check(of: LoanCheckId = key, database = shop.database) {
  const provider: LoanProvider = {
    lenderId: async () => ({ kind: "deferred" }),
    loans: async () => ({ kind: "deferred" }),
    async takeLoanCall(bound) {
      return async (id) => {
        asked.push([bound, id]);
        return answer;
      };
    },
    get reachable() {
      return reachable;
    },
  };
  return createCheckLoan({
    database: { ...database, now: () => time },
    provider,
    async settle(loan, presentedFor) {
      settled.push([loan.id, presentedFor]);
      await whileSettling();
      return { kind: settlement };
    },
    statusOf: async () => status,
    times: paymentTimes,
  })(of);
}

async function bind(changes: Partial<StoredLoan> = {}): Promise<void> {
  const loan = aStoredLoan({
    id: key.loanId,
    orderId: key.orderId,
    state: "active",
    updatedAt: 0,
    ...changes,
  });
  await shop.within((unit) => saveLoan(unit, loan));
}

const row = () =>
  shop.database.db
    .selectFrom("payment_checks")
    .selectAll()
    .where("order_id", "=", key.orderId)
    .where("loan_id", "=", key.loanId)
    .executeTakeFirst();

test("a loan that the provider has is settled for the order that it was presented for", async () => {
  expect(await check()).toEqual({
    isBound: true,
    isDone: false,
    outcome: "seen",
    isDeferred: false,
  });
  expect(asked).toEqual([[false, key.loanId]]);
  expect(settled).toEqual([[key.loanId, key.orderId]]);
  expect(await row()).toMatchObject({
    outcome: "seen",
    failures: 0,
    leased_until: 0,
    not_before: START + subscribedInterval,
  });
});

test("the call about a bound loan has the higher priority", async () => {
  await bind();
  await check();
  expect(asked).toEqual([[true, key.loanId]]);
});

test.each([
  [0, minUnsubscribedInterval],
  [20_000, minUnsubscribedInterval],
  [MINUTE, MINUTE / 2],
  [HOUR, HOUR / 2],
  [48 * HOUR, maxUnsubscribedInterval],
])(
  "without subscribers, a bound loan that was presented %i ms ago is checked again after %i ms",
  async (age, wait) => {
    await check();
    await bind();
    time = START + age;
    await shop.database.db.updateTable("payment_checks").set({ not_before: 0 }).execute();
    await check();
    expect(asked).toHaveLength(2);
    expect(await row()).toMatchObject({
      next_at: time + wait,
      not_before: time + subscribedInterval,
    });
  },
);

test("a checked loan causes no call before its next check is due", async () => {
  await check();
  await bind();
  time += subscribedInterval - 1;
  expect(await check()).toEqual({
    isBound: true,
    isDone: false,
    outcome: "seen",
    isDeferred: false,
  });
  expect(asked).toHaveLength(1);
  time += 1;
  await check();
  expect(asked).toHaveLength(2);
});

test.each<[state: Loan["state"], status: string, finished: boolean]>([
  ["active", "PaymentProcessing", false],
  ["active", "Cancelled", true],
  ["active", "Shipped", true],
  ["active", "Refunded", true],
  ["unknown", "Pending", false],
  ["paid-out", "Pending", true],
  ["ended", "Pending", true],
])(
  "the check of a bound loan that is %s, of an order that is %s, ends: %s",
  async (state, present, finished) => {
    await check();
    time += subscribedInterval;
    await bind({ state });
    status = present;
    expect(await check()).toMatchObject({ isBound: true, isDone: finished });
    expect(asked).toHaveLength(finished ? 1 : 2);
    expect((await row()) === undefined).toBe(finished);
  },
);

test("a check that finds its loan paid ends at once", async () => {
  await check();
  time += subscribedInterval;
  await bind();
  status = "Pending";
  whileSettling = () => bind({ state: "paid-out" });
  expect(await check()).toEqual({
    isBound: true,
    isDone: true,
    outcome: "seen",
    isDeferred: false,
  });
  expect(await row()).toBeUndefined();
});

test("a loan that is bound to another order is not bound to this one", async () => {
  await bind({ orderId: (await shop.stored()).id, state: "paid-out" });
  settlement = "refused";
  expect(await check()).toEqual({
    isBound: false,
    isDone: false,
    outcome: "refused",
    isDeferred: false,
  });
  expect(asked).toEqual([[false, key.loanId]]);
});

test.each<[Consequences["kind"] | "absent", outcome: CheckResult["outcome"]]>([
  ["absent", "absent"],
  ["refused", "refused"],
  ["ignored", "refused"],
])("a loan that is %s is checked again after an exponential backoff", async (kind, outcome) => {
  if (kind === "absent") answer = { kind };
  else settlement = kind;
  for (const [failures, wait] of [
    absentBackoff,
    2 * absentBackoff,
    4 * absentBackoff,
    8 * absentBackoff,
    maxAbsentBackoff,
  ].entries()) {
    expect(await check()).toEqual({
      isBound: false,
      isDone: false,
      outcome,
      isDeferred: false,
    });
    expect(await row()).toMatchObject({
      outcome,
      failures: failures + 1,
      not_before: time + wait,
    });
    time += wait;
  }
  expect(asked).toHaveLength(5);
});

async function checkFor(life: number): Promise<void> {
  await check();
  time += life;
  await check();
}

test("a loan that does not become bound leaves the queue after a day, and not before", async () => {
  answer = { kind: "absent" };
  await checkFor(unboundLifetime);
  expect(await row()).toBeDefined();
  time += maxAbsentBackoff;
  await check();
  expect(await row()).toBeUndefined();
});

test("a loan without a usable answer stays queued while its order awaits payment, and then leaves", async () => {
  answer = { kind: "unavailable", why: "an answer of another shape" };
  await checkFor(30 * unboundLifetime);
  expect(await row()).toMatchObject({ outcome: "unreachable" });
  status = "Cancelled";
  time += maxUnsubscribedInterval;
  await check();
  expect(await row()).toBeUndefined();
});

test.each([
  ["the provider no longer has", "absent"],
  ["the provider gives no answer about", "unreachable"],
])("a bound loan that %s is kept, however old its check is", async (_, outcome) => {
  answer = outcome === "absent" ? { kind: "absent" } : { kind: "unavailable", why: "HTTP 500" };
  await bind();
  await check();
  time = START + unboundLifetime + HOUR;
  expect(await check()).toMatchObject({ isBound: true });
  expect(asked).toHaveLength(2);
  expect(await row()).toMatchObject({ outcome, failures: 2 });
});

test("without subscribers, an unreachable provider is called again after a backoff of at most an hour", async () => {
  answer = { kind: "unavailable", why: "it is away" };
  reachable = false;
  for (let failures = 1; failures <= 14; failures += 1) {
    expect(await check()).toEqual({
      isBound: false,
      isDone: false,
      outcome: "unreachable",
      isDeferred: false,
    });
    const wait = Math.min(
      maxUnsubscribedInterval,
      subscribedInterval * 2 ** Math.min(10, failures - 1),
    );
    expect(await row()).toMatchObject({
      outcome: "unreachable",
      failures,
      not_before: time + subscribedInterval,
      next_at: time + wait,
    });
    time += wait;
  }
});

test.each<["deferred" | "undecided"]>([["deferred"], ["undecided"]])(
  "after an answer that is %s the lease ends, and the check is due as before",
  async (kind) => {
    if (kind === "deferred") answer = { kind };
    else settlement = kind;
    expect(await check()).toEqual({
      isBound: false,
      isDone: false,
      outcome: "waiting",
      isDeferred: true,
    });
    expect(await row()).toMatchObject({
      outcome: "waiting",
      failures: 0,
      leased_until: 0,
      not_before: 0,
    });
  },
);

test("a loan that another process is checking causes no call", async () => {
  settlement = "refused";
  await check();
  time += absentBackoff;
  await leaseCheck(shop.database.db, key, {
    now: time,
    until: time + paymentTimes.checkLeaseDuration,
  });
  expect(await check()).toEqual({
    isBound: false,
    isDone: false,
    outcome: "refused",
    isDeferred: false,
  });
  expect(asked).toHaveLength(1);
});

test.each<Consequences["kind"]>(["undecided", "bound", "refused"])(
  "a check of a loan that is %s returns after everything is stored",
  async (kind) => {
    settlement = kind;
    const writes = slowWrites();
    await check(key, { ...shop.database, db: shop.database.db.withPlugin(writes.plugin) });
    // The lease and its end; the check itself is stored in a transaction.
    expect([writes.begun, writes.ended]).toEqual([2, 2]);
  },
);

test("a loan that was paid out but does not pay its order is not bound", async () => {
  await bind({ state: "paid-out", refusal: "underpaid" });
  settlement = "refused";
  answer = { kind: "found", value: aLoan({ id: key.loanId, state: "paid-out" }) };
  expect(await check()).toMatchObject({ isBound: false, outcome: "refused" });
});

test("a check that always fails backs off exponentially and keeps its last outcome", async () => {
  const found = answer;
  answer = { kind: "unavailable", why: "it is away" };
  await check();
  expect(await row()).toMatchObject({ outcome: "unreachable", failures: 1 });
  answer = found;
  whileSettling = () => Promise.reject(new Error("it cannot be settled"));
  for (const failures of [2, 3, 4]) {
    time += subscribedInterval;
    await expect(check()).rejects.toThrow("it cannot be settled");
    expect(await row()).toMatchObject({
      outcome: "unreachable",
      failures,
      leased_until: 0,
      not_before: time + subscribedInterval,
      next_at: time + subscribedInterval * 2 ** (failures - 1),
    });
  }
});
