import { randomUUID } from "node:crypto";
import { balancesOf } from "@keepsats/domain";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { NewOrder } from "../../apps/server/src/modules/orders/order.ts";
import { findState, listEvents } from "../../apps/server/src/modules/orders/order-repository.ts";
import {
  batchQuery,
  createExpireOrders,
  readLastExpiry,
} from "../../apps/server/src/modules/payments/expire-orders.ts";
import { listIssues } from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import { readOrderAccount } from "../../apps/server/src/modules/payments/journal/journal-repository.ts";
import type { LoanProvider } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import { queueLoans } from "../../apps/server/src/modules/payments/loans/loan-queue.ts";
import { writeSweepState } from "../../apps/server/src/modules/payments/loans/sweep.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import type { DomainEvent } from "../../apps/server/src/platform/outbox/emit-events.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { aLoan, aPaidLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { aProvider } from "../harness/provider.ts";
import { cancelOrderOn, useCasesOn } from "../harness/use-cases.ts";
import { waitFor } from "../harness/wait-for.ts";
import { plansOf } from "../harness/watched-database.ts";

const TERM = 72 * HOUR;
/** When the shop began to let orders expire. */
const START = Date.UTC(2030, 0, 1);

const times = { checkInterval: 1, runInterval: 400, taskDelay: 0 };

interface Process {
  readonly now: () => number;
  readonly provider?: LoanProvider;
  readonly clockAhead?: () => number | undefined;
  /** The orders whose cancelling throws. */
  readonly failing?: readonly string[];
}

/** The expiry of one process. */
function expiryOn(
  database: Database,
  { now, provider = aProvider(), clockAhead = () => 0, failing = [] }: Process,
) {
  const emitted: DomainEvent[] = [];
  const expired = vi.fn<() => void>();
  const errors: unknown[] = [];
  const clocked: Database = { ...database, now };
  const cancelOrder = cancelOrderOn(clocked, provider, {
    now,
    emitEvents: async (_, events) => void emitted.push(...events),
  });
  const loop = createExpireOrders({
    database: clocked,
    term: TERM,
    async cancelOrder(id, ...more) {
      if (failing.includes(id)) throw new Error("it cannot be cancelled");
      return cancelOrder(id, ...more);
    },
    times,
    clockAhead,
    onExpired: expired,
    onError: (error) => errors.push(error),
  });
  return { loop, emitted, expired, errors };
}

describe.each(databaseKinds)("the expiry of unpaid orders on $name", (kind) => {
  const shop = useDatabase(kind);
  const statusOf = async (id: string) => (await findState(shop.database.db, id))?.status;
  let now = START;

  beforeEach(async () => {
    now = START;
    for (const table of ["leases", "key_values"])
      await shop.testDatabase.run(`DELETE FROM ${table} WHERE name <> 'clock'`);
    await runExpiry();
  });
  afterEach(() =>
    shop.testDatabase.run("UPDATE orders SET status = 'Delivered' WHERE status <> 'Cancelled'"),
  );

  /** Completes a run of each of these processes at the present time. */
  async function runExpiry(...processes: ReturnType<typeof expiryOn>[]): Promise<void> {
    const some = processes.length > 0 ? processes : [expiryOn(shop.database, { now: () => now })];
    now += times.runInterval + 1;
    const at = now;
    for (const { loop } of some) loop.start();
    await waitFor("a run", async () => (await readLastExpiry(shop.database.db)) >= at);
    await Promise.all(some.map(({ loop }) => loop.stop()));
  }
  /** A sweep that began at the present time has ended. */
  const swept = () => writeSweepState(shop.database.db, { began: now, ended: now, failures: 0 });
  /** Completes a run after a sweep at this time. */
  async function runAfterSweep(time: number, ...processes: ReturnType<typeof expiryOn>[]) {
    now = time;
    await swept();
    await runExpiry(...processes);
  }
  /** An order that was placed an hour after the start, unless it says otherwise. */
  async function placed(changes: Partial<NewOrder> = {}): Promise<NewOrder> {
    const order = await shop.stored({ created_at: START + HOUR, ...changes });
    await shop.testDatabase.run(
      `UPDATE order_events SET at = ${order.created_at}, kind = 'placed' WHERE order_id = '${order.id}'`,
    );
    return order;
  }
  const process = (more: Partial<Process> = {}, database = shop.database) =>
    expiryOn(database, { now: () => now, ...more });

  test("cancels an order once, as the system, after a sweep that began after its term", async () => {
    const { id } = await placed();
    now = START + HOUR + TERM;
    await swept();
    now += 5;
    await runExpiry();
    expect(await statusOf(id)).toBe("Pending");
    await swept();
    const both = [
      process(),
      process({}, shop.secondConnection),
      process({}, shop.secondConnection),
    ];
    await runExpiry(...both);
    expect(await statusOf(id)).toBe("Cancelled");
    expect(await listEvents(shop.database.db, id)).toMatchObject([
      { kind: "placed" },
      {
        kind: "moved",
        to_status: "Cancelled",
        by: "shop",
        by_name: null,
        reason: "expired: not paid within 72 hours",
      },
    ]);
    expect(both.flatMap(({ emitted }) => emitted)).toEqual([
      { type: "order.cancelled", subject: id, data: { from: "Pending", to: "Cancelled" } },
    ]);
    expect(both.flatMap(({ expired }) => expired.mock.calls)).toHaveLength(1);
  });

  test("cancels many orders in batches", async () => {
    const orders = [];
    for (let number = 0; number < 120; number += 1)
      orders.push(await placed({ created_at: START + HOUR + (number % 7) }));
    const one = process();
    await runAfterSweep(START + 2 * HOUR + TERM, one);
    expect(one.expired).toHaveBeenCalledTimes(orders.length);
  });

  test("restarts the term when a payment attempt ends", async () => {
    const { id } = await placed();
    const { settle } = useCasesOn(shop.database);
    const loan = aLoan({ id: randomUUID(), orderId: id });
    await settle(loan);
    await settle({ ...loan, state: "ended" });
    const ended = START + 50 * HOUR;
    await shop.testDatabase.run(
      `UPDATE order_events SET at = ${ended} WHERE order_id = '${id}' AND kind = 'moved'`,
    );
    await runAfterSweep(START + 2 * HOUR + TERM);
    expect(await statusOf(id)).toBe("Pending");
    await runAfterSweep(ended + TERM + 1);
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test("restarts the term when a loan is first seen as rejected, also after another one", async () => {
    const { id } = await placed();
    const { settle } = useCasesOn(shop.database);
    let ended = 0;
    for (const hours of [50, 90]) {
      await settle(aLoan({ id: randomUUID(), orderId: id, state: "ended" }));
      ended = START + hours * HOUR;
      await shop.testDatabase.run(
        `UPDATE order_events SET at = ${ended} WHERE order_id = '${id}' AND kind = 'attempt-failed' AND at = 5`,
      );
      await runAfterSweep(ended + TERM - HOUR);
      expect(await statusOf(id)).toBe("Pending");
    }
    await runAfterSweep(ended + TERM + 1);
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test("cancels an order three terms after it was placed, despite failed attempts, unless a loan is active", async () => {
    const { id } = await placed();
    const { settle } = useCasesOn(shop.database);
    const attempt = aLoan({ id: randomUUID(), orderId: id });
    await settle(attempt);
    await settle({ ...attempt, state: "ended" });
    const active = aLoan({ id: randomUUID(), orderId: id });
    const ended = START + HOUR + 3 * TERM - HOUR;
    await shop.testDatabase.run(
      `UPDATE order_events SET at = ${ended} WHERE order_id = '${id}' AND kind = 'moved'`,
    );
    await runAfterSweep(START + HOUR + 3 * TERM);
    expect(await statusOf(id)).toBe("Pending");
    await settle(active);
    await runAfterSweep(now + 5);
    expect(await statusOf(id)).toBe("PaymentProcessing");
    await settle({ ...active, state: "ended" });
    await runExpiry();
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test.each(["active", "unknown"] as const)("keeps an order whose loan is %s", async (state) => {
    const { id } = await placed();
    const { settle } = useCasesOn(shop.database);
    const loan = aLoan({ id: randomUUID(), orderId: id });
    await settle(loan);
    await settle({ ...loan, state });
    const one = process();
    await runAfterSweep(START + 1_000 * HOUR, one);
    expect(await statusOf(id)).toBe("PaymentProcessing");
    expect(one.expired).not.toHaveBeenCalled();
  });

  test("checks a loan that was presented after the sweep, and keeps its order", async () => {
    const { id } = await placed();
    const loan = aLoan({ id: randomUUID(), orderId: id });
    now = START + 2 * HOUR + TERM;
    await swept();
    await shop.within((unit) => queueLoans(unit, [{ orderId: id, loanId: loan.id }], now));
    const provider = aProvider([loan]);
    await runExpiry(process({ provider }));
    expect(provider.asked).toContain(loan.id);
    expect(await statusOf(id)).toBe("PaymentProcessing");
  });

  test("keeps an order while the provider cannot be reached about its loan, and continues with other orders", async () => {
    const [asked, other] = [await placed(), await placed({ created_at: START + HOUR + 1 })];
    now = START + 2 * HOUR + TERM;
    await swept();
    await shop.within((unit) =>
      queueLoans(unit, [{ orderId: asked.id, loanId: randomUUID() }], now),
    );
    const provider = aProvider();
    provider.away = true;
    await runExpiry(process({ provider }));
    expect([await statusOf(asked.id), await statusOf(other.id)]).toEqual(["Pending", "Cancelled"]);
    provider.away = false;
    await runAfterSweep(now + HOUR, process({ provider }));
    expect(await statusOf(asked.id)).toBe("Cancelled");
  });

  test("cancels an order whose presented loan the provider never answers about, when a later sweep is complete", async () => {
    const { id } = await placed();
    now = START + 2 * HOUR + TERM;
    await shop.within((unit) => queueLoans(unit, [{ orderId: id, loanId: randomUUID() }], now - 1));
    await swept();
    const provider = aProvider();
    provider.away = true;
    await runExpiry(process({ provider }));
    expect(provider.asked).toHaveLength(1);
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test("backs off while the provider is unreachable, and skips loans that it never answers about", async () => {
    for (let number = 0; number < 12; number += 1) {
      const { id } = await placed({ created_at: START + HOUR + number });
      const presentedAt = START + 2 * HOUR + TERM;
      await shop.within((unit) =>
        queueLoans(unit, [{ orderId: id, loanId: randomUUID() }], presentedAt),
      );
    }
    const last = await placed({ created_at: START + HOUR + 100 });
    now = START + 2 * HOUR + TERM;
    await swept();
    const provider = aProvider();
    provider.away = true;
    const { loop } = process({ provider });
    onTestFinished(() => loop.stop());
    loop.start();
    for (const questions of [5, 10]) {
      await waitFor(`${questions} questions`, () => provider.asked.length >= questions);
      expect(await statusOf(last.id)).toBe("Pending");
      now += times.runInterval + 1;
    }
    await waitFor("the last order", async () => (await statusOf(last.id)) === "Cancelled");
  });

  test("continues after an order that cannot be cancelled, and ends the run after five in a row", async () => {
    const failing: string[] = [];
    for (let number = 0; number < 7; number += 1)
      failing.push((await placed({ created_at: START + HOUR + number })).id);
    const last = await placed({ created_at: START + HOUR + 100 });
    now = START + 2 * HOUR + TERM;
    await swept();
    const one = process({ failing: failing.slice(0, 1) });
    const many = process({ failing });
    onTestFinished(() => many.loop.stop());
    many.loop.start();
    await waitFor("five failures", () => many.errors.length >= 5);
    expect(many.errors).toHaveLength(5);
    expect(await statusOf(last.id)).toBe("Pending");
    now += times.runInterval + 1;
    await waitFor("the last order", async () => (await statusOf(last.id)) === "Cancelled");
    expect(many.errors).toHaveLength(7);
    await many.loop.stop();
    await runExpiry(one);
    expect(one.errors).toHaveLength(1);
    expect(one.expired).toHaveBeenCalledTimes(6);
  });

  test("keeps an order that has received money that does not pay it", async () => {
    const { id } = await placed();
    await useCasesOn(shop.database).settle(aPaidLoan(id, { cents: 4_000 }));
    await runAfterSweep(START + 1_000 * HOUR);
    expect(await statusOf(id)).toBe("Pending");
  });

  test("opens a payment issue for a loan that is paid out for an expired order", async () => {
    const { id } = await placed();
    await runAfterSweep(START + 2 * HOUR + TERM);
    await useCasesOn(shop.database).settle(aPaidLoan(id));
    expect(await statusOf(id)).toBe("Cancelled");
    const issues = await listIssues(shop.database.db, { limit: 1_000 });
    expect(issues.filter(({ orderId }) => orderId === id)).toMatchObject([
      { kind: "paid-after-cancel", resolution: undefined },
    ]);
    const account = await readOrderAccount(shop.database.db, id);
    expect(account && balancesOf(account).shop).toMatchObject({ refundDue: 4_500 });
  });

  test("cancels nothing while the clock is wrong, and continues when it is right", async () => {
    const { id } = await placed();
    now = START + 1_000 * HOUR;
    await swept();
    let ahead = 900 * HOUR;
    const one = process({ clockAhead: () => ahead });
    const clock = vi.fn(() => ahead);
    const two = process({ clockAhead: clock });
    two.loop.start();
    await waitFor("a run", () => clock.mock.calls.length > 0);
    await two.loop.stop();
    expect(await statusOf(id)).toBe("Pending");
    ahead = 0;
    await runExpiry(one);
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test("continues after the clock was set back by years", async () => {
    now = START + 50_000 * HOUR;
    await runExpiry();
    await swept();
    await shop.testDatabase.run("DELETE FROM key_values WHERE name = 'expiry-last-look'");
    now = START;
    await runExpiry();
    const { id } = await placed();
    now = START + 2 * HOUR + TERM;
    await runExpiry();
    expect(await statusOf(id)).toBe("Pending");
    await swept();
    await runExpiry();
    expect(await statusOf(id)).toBe("Cancelled");
  });

  test("finds the orders by an index, however many there are", async () => {
    const after = { created_at: 1, id: "" };
    const plans = await plansOf(kind, shop.database, (db) =>
      batchQuery(db, START, { status: "Pending", after }).execute(),
    );
    const whole = plans.join("\n");
    expect(whole).toMatch(/orders_by_status/);
    expect(whole).not.toMatch(kind.name === "SQLite" ? /SCAN|TEMP B-TREE/ : /Seq Scan|Sort/);
  });
});
