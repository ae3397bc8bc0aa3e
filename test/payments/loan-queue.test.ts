import { describe, expect, test } from "vitest";
import {
  findDueLoans,
  findQueuedLoans,
  finishCheck,
  type LoanCheckId,
  leaseCheck,
  queueLoans,
  releaseCheck,
  removeLoans,
} from "../../apps/server/src/modules/payments/loans/loan-queue.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { setLeaseEnd, takeLease } from "../../apps/server/src/platform/database/leases.ts";
import { aLoan } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { aProvider } from "../harness/lender.ts";
import { checkLoanOn } from "../harness/use-cases.ts";

describe.each(databaseKinds)("the queue of loan checks on $name", (kind) => {
  const shop = useDatabase(kind);
  const { stored } = shop;

  const note = (on: Database, keys: readonly LoanCheckId[], now: number) =>
    on.inTransaction((unit) => queueLoans(unit, keys, now));

  test("are leased by one process at a time, become due, and end", async () => {
    const order = await stored();
    const key = { orderId: order.id, loanId: "c" };
    const stateAt = async (now: number) =>
      (await findQueuedLoans(shop.database.db, [order.id], now)).get(order.id);
    expect(await stateAt(100)).toBeUndefined();
    expect(await note(shop.database, [key], 100)).toEqual([true]);
    expect(await note(shop.database, [key], 200)).toEqual([true]);
    expect(await stateAt(100)).toEqual([
      { ...key, finding: "waiting", isRecheck: false, isDue: true, holdsKey: false },
    ]);
    expect(await findDueLoans(shop.database.db, 99, 10)).toEqual([]);
    expect(await findDueLoans(shop.database.db, 100, 10)).toEqual([key]);
    const leases = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        leaseCheck((index % 2 === 0 ? shop.database : shop.other).db, key, {
          now: 100,
          until: 150,
        }),
      ),
    );
    expect(leases.filter((lease) => lease !== undefined)).toEqual([
      { failures: 0, createdAt: 100 },
    ]);
    expect(await findDueLoans(shop.database.db, 100, 10)).toEqual([]);
    expect(await leaseCheck(shop.database.db, key, { now: 149, until: 160 })).toBeUndefined();
    expect(await stateAt(149)).toEqual([
      { ...key, finding: "waiting", isRecheck: false, isDue: false, holdsKey: false },
    ]);
    expect(await stateAt(150)).toEqual([
      { ...key, finding: "waiting", isRecheck: false, isDue: true, holdsKey: false },
    ]);
    expect(await leaseCheck(shop.database.db, key, { now: 150, until: 160 })).toBeDefined();
    await releaseCheck(shop.database.db, key);
    expect(await leaseCheck(shop.database.db, key, { now: 151, until: 160 })).toBeDefined();
    await finishCheck(shop.database.db, key, {
      finding: "absent",
      failures: 3,
      notBefore: 300,
      nextAt: 400,
    });
    expect(await stateAt(299)).toEqual([
      { ...key, finding: "absent", isRecheck: false, isDue: false, holdsKey: false },
    ]);
    expect(await stateAt(300)).toEqual([
      { ...key, finding: "absent", isRecheck: false, isDue: true, holdsKey: false },
    ]);
    expect(await leaseCheck(shop.database.db, key, { now: 299, until: 500 })).toBeUndefined();
    expect(await leaseCheck(shop.database.db, key, { now: 300, until: 500 })).toMatchObject({
      failures: 3,
    });
    await removeLoans(shop.database.db, [key]);
    expect(await stateAt(300)).toBeUndefined();
  });

  test("of one order are at most ten, however many are added at once", async () => {
    const [order, another] = [await stored(), await stored()];
    const noted = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const keys = [order, another].map(({ id }) => ({ orderId: id, loanId: `c${index}` }));
        return index % 2 === 0 ? note(shop.database, keys, 1) : note(shop.other, keys.reverse(), 1);
      }),
    );
    expect(noted.flat().filter(Boolean)).toHaveLength(20);
    const same = { orderId: (await stored()).id, loanId: "twice" };
    expect(await note(shop.database, [same, same], 2_000)).toEqual([true, true]);
    await removeLoans(shop.database.db, [same]);
    const due = await findDueLoans(shop.database.db, 1_000, 100);
    for (const { id } of [order, another]) {
      expect(due.filter(({ orderId }) => orderId === id)).toHaveLength(10);
    }
    await removeLoans(shop.database.db, due);
    expect(await findDueLoans(shop.database.db, 1_000, 100)).toEqual([]);
  });

  test("a customer's loan is checked at once, even after ten invented ones were presented", async () => {
    const { id } = await stored();
    const loan = aLoan({ id: "real", orderId: id });
    const check = checkLoanOn(shop.database, aProvider([loan]));
    const present = (loanId: string, holdsKey: boolean) =>
      check(
        { orderId: id, loanId },
        { client: holdsKey ? "192.0.2.1" : `192.0.2.2${loanId}`, holdsKey },
      );
    await Promise.all(Array.from({ length: 10 }, (_, index) => present(String(index), false)));
    expect((await present("without the key", false)).finding).toBe("absent");
    expect(await present(loan.id, true)).toMatchObject({ isBound: true, finding: "seen" });
  });

  test("a named lease has one holder, and can be taken after it expires", async () => {
    const take = (on: Database, now: number, until: number) =>
      takeLease(on.db, "work", { now, until, maxDuration: 1_000 });
    const first = await Promise.all(
      [shop.database, shop.other, shop.database, shop.other].map((on) => take(on, 100, 200)),
    );
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(await take(shop.other, 199, 300)).toBe(false);
    expect(await take(shop.other, 200, 300)).toBe(true);
    expect(await setLeaseEnd(shop.database.db, "work", { from: 200, until: 250 })).toBe(false);
    expect(await setLeaseEnd(shop.database.db, "work", { from: 300, until: 210 })).toBe(true);
    expect(await take(shop.database, 210, 2_000)).toBe(true);
    expect(await take(shop.other, 1_000, 2_000)).toBe(false);
    // A lease that lies too far ahead was stored before the clock was set back.
    expect(await take(shop.other, 999, 1_900)).toBe(true);
  });
});
