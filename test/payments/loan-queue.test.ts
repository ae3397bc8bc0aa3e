import { beforeEach, describe, expect, test } from "vitest";
import { paymentTimes } from "../../apps/server/src/modules/payments/index.ts";
import {
  findDueLoans,
  findQueuedLoans,
  finishCheck,
  type LoanCheckId,
  leaseCheck,
  MAX_LOANS_PER_ORDER,
  MAX_TIME_AHEAD,
  overdueBy,
  type PresentedLoan,
  type QueuedLoan,
  queueLoans,
  releaseCheck,
  removeLoans,
} from "../../apps/server/src/modules/payments/loans/loan-queue.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { setLeaseEnd, takeLease } from "../../apps/server/src/platform/database/leases.ts";
import { aLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { aProvider } from "../harness/provider.ts";
import { checkLoanOn } from "../harness/use-cases.ts";

const NOW = 1_000_000_000;
const LEASE = { now: NOW, until: NOW + 10_000 };
const OK = { outcome: "seen", failures: 0, notBefore: NOW + 2_000, nextAt: NOW + 15_000 } as const;

describe.each(databaseKinds)("on $name", (kind) => {
  const shop = useDatabase(kind);

  /** A loan `a` of one order; the same loan of another order; and a loan `b` of the first order. */
  let key: LoanCheckId;
  let ofAnotherOrder: LoanCheckId;
  let another: LoanCheckId;

  const add = (loans: readonly PresentedLoan[], now = NOW) =>
    shop.within((unit) => queueLoans(unit, loans, now));
  const rowOf = ({ orderId, loanId }: LoanCheckId) =>
    shop.database.db
      .selectFrom("payment_checks")
      .selectAll()
      .where("order_id", "=", orderId)
      .where("loan_id", "=", loanId)
      .executeTakeFirst();

  /** `key` in the queue, before its first check. */
  let waiting: Omit<QueuedLoan, "isDue">;
  const queuedAt = async (now: number) =>
    (await findQueuedLoans(shop.database.db, [key.orderId], now)).get(key.orderId);
  const leaseAt = (now: number) => leaseCheck(shop.database.db, key, { now, until: now + 10_000 });

  beforeEach(async () => {
    await shop.database.db.deleteFrom("payment_checks").execute();
    const [one, two] = [await shop.stored(), await shop.stored()];
    key = { orderId: one.id, loanId: "a" };
    ofAnotherOrder = { orderId: two.id, loanId: "a" };
    another = { orderId: one.id, loanId: "b" };
    waiting = { ...key, outcome: "waiting", holdsKey: false };
  });

  test("lease, release, result and removal of a check change no other check", async () => {
    await add([key, ofAnotherOrder, another]);
    const others = async () => [await rowOf(ofAnotherOrder), await rowOf(another)];
    const before = await others();
    expect(await leaseCheck(shop.database.db, key, LEASE)).toEqual({ failures: 0, createdAt: NOW });
    expect(await rowOf(key)).toMatchObject({ leased_until: LEASE.until });
    expect(await others()).toEqual(before);
    await finishCheck(shop.database.db, key, OK);
    expect(await rowOf(key)).toMatchObject({
      outcome: "seen",
      failures: 0,
      not_before: OK.notBefore,
      next_at: OK.nextAt,
      leased_until: 0,
    });
    expect(await others()).toEqual(before);
    for (const other of [ofAnotherOrder, another]) await leaseCheck(shop.database.db, other, LEASE);
    const leased = await others();
    await releaseCheck(shop.database.db, key);
    await removeLoans(shop.database.db, [key]);
    expect(await rowOf(key)).toBeUndefined();
    expect(await others()).toEqual(leased);
    await releaseCheck(shop.database.db, another);
    expect(await rowOf(another)).toMatchObject({ leased_until: 0 });
  });

  test("a check without an outcome keeps the stored one", async () => {
    await add([key]);
    await finishCheck(shop.database.db, key, { ...OK, outcome: "absent" });
    await finishCheck(shop.database.db, key, { ...OK, outcome: undefined, failures: 2 });
    expect(await rowOf(key)).toMatchObject({ outcome: "absent", failures: 2 });
  });

  test("a loan that is queued again keeps its time", async () => {
    expect(await queuedAt(NOW)).toBeUndefined();
    for (const now of [NOW, NOW + 100]) expect(await add([key], now)).toEqual([true]);
    expect(await queuedAt(NOW)).toEqual([{ ...waiting, isDue: true }]);
    expect(await findDueLoans(shop.database.db, NOW - 1, 10)).toEqual([]);
    expect(await findDueLoans(shop.database.db, NOW, 10)).toEqual([key]);
  });

  test("a check is leased to one of two processes until the lease ends", async () => {
    await add([key]);
    const leases = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        leaseCheck((index % 2 === 0 ? shop.database : shop.secondConnection).db, key, LEASE),
      ),
    );
    expect(leases.filter((lease) => lease !== undefined)).toEqual([
      { failures: 0, createdAt: NOW },
    ]);
    expect(await findDueLoans(shop.database.db, NOW, 10)).toEqual([]);
    expect(await queuedAt(LEASE.until - 1)).toEqual([{ ...waiting, isDue: false }]);
    expect(await leaseAt(LEASE.until - 1)).toBeUndefined();
    expect(await queuedAt(LEASE.until)).toEqual([{ ...waiting, isDue: true }]);
    expect(await leaseAt(LEASE.until)).toBeDefined();
    await releaseCheck(shop.database.db, key);
    expect(await leaseAt(LEASE.until + 1)).toBeDefined();
  });

  test("a finished check can be leased again from its earliest time on", async () => {
    await add([key]);
    await finishCheck(shop.database.db, key, { ...OK, outcome: "absent", failures: 3 });
    const absent = { ...waiting, outcome: "absent" };
    expect(await queuedAt(OK.notBefore - 1)).toEqual([{ ...absent, isDue: false }]);
    expect(await leaseAt(OK.notBefore - 1)).toBeUndefined();
    expect(await queuedAt(OK.notBefore)).toEqual([{ ...absent, isDue: true }]);
    expect(await leaseAt(OK.notBefore)).toEqual({ failures: 3, createdAt: NOW });
  });

  test.each([
    ["leased_until", 15_000],
    ["not_before", 70_000],
    ["next_at", 3_660_000],
  ] as const)(
    "a %s of more than %i ms ahead is from before a clock was set back, and counts as past",
    async (time, ahead) => {
      expect(MAX_TIME_AHEAD[time]).toBe(ahead);
      await add([key], NOW - 1);
      const isDueAt = async (value: number) => {
        await shop.database.db
          .updateTable("payment_checks")
          .set({ [time]: value })
          .execute();
        const [check] = (await queuedAt(NOW)) ?? [];
        const due = await findDueLoans(shop.database.db, NOW, 10);
        return time === "not_before" ? check?.isDue : due.length === 1;
      };
      expect(await isDueAt(NOW)).toBe(true);
      expect(await isDueAt(NOW + 1)).toBe(false);
      expect(await isDueAt(NOW + ahead)).toBe(false);
      expect(await isDueAt(NOW + ahead + 1)).toBe(true);
    },
  );

  test("the most overdue checks are found first, up to the limit", async () => {
    await add([another], NOW - 1);
    await add([key], NOW - 2);
    await add([ofAnotherOrder], NOW + 1);
    expect(await findDueLoans(shop.database.db, NOW, 10)).toEqual([key, another]);
    expect(await findDueLoans(shop.database.db, NOW, 1)).toEqual([key]);
  });

  test("an order has ten checks at most; one that is already stored counts as stored", async () => {
    const keys = Array.from({ length: MAX_LOANS_PER_ORDER }, (_, index) => ({
      ...key,
      loanId: String(index),
    }));
    expect(await add(keys)).toEqual(keys.map(() => true));
    expect(await add([key, ...keys.slice(0, 2), ofAnotherOrder])).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(await add([another, another])).toEqual([false, false]);
    const found = await findQueuedLoans(
      shop.database.db,
      [key.orderId, ofAnotherOrder.orderId],
      NOW,
    );
    expect(found.get(key.orderId)).toHaveLength(MAX_LOANS_PER_ORDER);
    expect(found.get(ofAnotherOrder.orderId)).toEqual([
      { ...ofAnotherOrder, outcome: "waiting", isDue: true, holdsKey: false },
    ]);
  });

  test("loans presented with the key have ten slots of their own", async () => {
    const keys = Array.from({ length: MAX_LOANS_PER_ORDER + 1 }, (_, index) => ({
      ...key,
      loanId: String(index),
    }));
    await add(keys);
    const holdsKey = keys.map(({ loanId }) => ({
      ...key,
      loanId: `own ${loanId}`,
      holdsKey: true,
    }));
    expect((await add(holdsKey)).filter(Boolean)).toHaveLength(MAX_LOANS_PER_ORDER);
  });

  test("a stored loan that is presented again, with the key, takes one of those slots", async () => {
    await add([key]);
    expect(await add([{ ...key, holdsKey: true }])).toEqual([true]);
    expect(await rowOf(key)).toMatchObject({ with_key: 1 });
    await add([key]);
    expect(await rowOf(key)).toMatchObject({ with_key: 1 });
    expect(await add([another, { ...another, holdsKey: true }])).toEqual([true, true]);
    expect(await rowOf(another)).toMatchObject({ with_key: 1 });
  });

  test("a full order replaces its first loan unknown to the provider, then one for another order, and no other", async () => {
    const keys = Array.from({ length: MAX_LOANS_PER_ORDER }, (_, index) => ({
      ...key,
      loanId: String(index),
    }));
    for (const [index, one] of keys.entries()) await add([one], NOW + index);
    const answers = {
      2: "refused",
      5: "absent",
      6: "absent",
      7: "unreachable",
      8: "seen",
    } as const;
    for (const [index, outcome] of Object.entries(answers))
      await finishCheck(shop.database.db, { ...key, loanId: index }, { ...OK, outcome });
    const gone = async () => {
      const checks = (await queuedAt(NOW)) ?? [];
      const left = new Set(checks.map(({ loanId }) => loanId));
      return keys.map(({ loanId }) => loanId).filter((id) => !left.has(id));
    };
    for (const places of [["5"], ["5", "6"], ["2", "5", "6"]]) {
      expect(await add([{ ...key, loanId: `new ${places}` }])).toEqual([true]);
      expect(await gone()).toEqual(places);
    }
    expect(await add([another])).toEqual([false]);
  });

  test("a check that is added twice at once is stored once", async () => {
    expect(await add([key, key])).toEqual([true, true]);
    expect(await queuedAt(NOW)).toHaveLength(1);
  });

  test("a stored outcome that this version does not know counts as waiting", async () => {
    await add([key]);
    for (const [stored, outcome] of [
      ["seen", "seen"],
      ["of a later version", "waiting"],
    ] as const) {
      await shop.database.db.updateTable("payment_checks").set({ outcome: stored }).execute();
      const found = await findQueuedLoans(shop.database.db, [key.orderId], NOW);
      expect(found.get(key.orderId)).toMatchObject([{ outcome }]);
    }
  });

  test("the delay is that of the most overdue check or lease, and never negative", async () => {
    expect(await overdueBy(shop.database.db, NOW)).toBe(0);
    await add([key], NOW + 5);
    expect(await overdueBy(shop.database.db, NOW)).toBe(0);
    await add([another], NOW - 7);
    expect(await overdueBy(shop.database.db, NOW)).toBe(7);
    await shop.database.db
      .insertInto("leases")
      .values({ name: "sweep", until: NOW - 9 })
      .execute();
    expect(await overdueBy(shop.database.db, NOW)).toBe(9);
    await shop.database.db.deleteFrom("leases").execute();
  });

  test("an order has ten checks at most, however many are added at once", async () => {
    const noted = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const keys = [key, ofAnotherOrder].map((one) => ({ ...one, loanId: `c${index}` }));
        return index % 2 === 0
          ? add(keys)
          : shop.secondConnection.inTransaction((unit) => queueLoans(unit, keys.reverse(), NOW));
      }),
    );
    expect(noted.flat().filter(Boolean)).toHaveLength(20);
    const due = await findDueLoans(shop.database.db, NOW, 100);
    for (const { orderId } of [key, ofAnotherOrder])
      expect(due.filter((one) => one.orderId === orderId)).toHaveLength(10);
    await removeLoans(shop.database.db, due);
    expect(await findDueLoans(shop.database.db, NOW, 100)).toEqual([]);
  });

  test("a customer's loan is checked at once, even after ten invented ones were presented", async () => {
    const { orderId: id } = key;
    const loan = aLoan({ id: "real", orderId: id });
    const check = checkLoanOn(shop.database, aProvider([loan]));
    const present = (loanId: string, holdsKey: boolean) =>
      check(
        { orderId: id, loanId },
        { client: holdsKey ? "192.0.2.1" : `192.0.2.2${loanId}`, holdsKey },
      );
    await Promise.all(Array.from({ length: 10 }, (_, index) => present(String(index), false)));
    expect((await present("without the key", false)).outcome).toBe("absent");
    expect(await present(loan.id, true)).toMatchObject({ isBound: true, outcome: "seen" });
  });

  test("a named lease has one holder, and can be taken after it expires", async () => {
    const take = (on: Database, now: number, until: number) =>
      takeLease(on.db, "work", { now, until, maxDuration: 1_000 });
    const first = await Promise.all(
      [shop.database, shop.secondConnection, shop.database, shop.secondConnection].map((on) =>
        take(on, 100, 200),
      ),
    );
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(await take(shop.secondConnection, 199, 300)).toBe(false);
    expect(await take(shop.secondConnection, 200, 300)).toBe(true);
    expect(await setLeaseEnd(shop.database.db, "work", { from: 200, until: 250 })).toBe(false);
    expect(await setLeaseEnd(shop.database.db, "work", { from: 300, until: 210 })).toBe(true);
    expect(await take(shop.database, 210, 2_000)).toBe(true);
    expect(await take(shop.secondConnection, 1_000, 2_000)).toBe(false);
    // A lease that lies too far ahead was stored before the clock was set back.
    expect(await take(shop.secondConnection, 999, 1_900)).toBe(true);
  });
});

test("no stored time lies further ahead than the limit for a clock that was set back", () => {
  expect(paymentTimes.checkLeaseDuration).toBeLessThan(MAX_TIME_AHEAD.leased_until);
  expect(
    Math.max(paymentTimes.subscribedInterval, paymentTimes.maxAbsentBackoff),
  ).toBeLessThanOrEqual(MAX_TIME_AHEAD.not_before);
  expect(
    Math.max(paymentTimes.minUnsubscribedInterval, paymentTimes.maxUnsubscribedInterval),
  ).toBeLessThanOrEqual(MAX_TIME_AHEAD.next_at);
  expect(Math.max(paymentTimes.sweepLeaseDuration, paymentTimes.sweepBackoff)).toBeLessThan(
    paymentTimes.maxSweepPause,
  );
});
