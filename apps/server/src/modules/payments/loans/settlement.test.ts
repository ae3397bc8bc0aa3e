import { canMove, isOrderStatus } from "@keepsats/domain";
import { type LoanState, loanStates } from "@keepsats/protocol";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { moneyRecordsOn, settlementOn } from "../../../../../../test/harness/use-cases.ts";
import { slowWrites } from "../../../../../../test/harness/watched-database.ts";
import type { Database } from "../../../platform/database/database.ts";
import { findState } from "../../orders/order-repository.ts";
import { readOrderAccount } from "../journal/journal-repository.ts";
import type { Loan } from "./loan-provider.ts";
import { findLoansOfOrder, withoutSettled } from "./loan-repository.ts";
import { createSettle, type Settle } from "./settlement.ts";

const shop = useDatabase(sqlite);
let database: Database;
let dependencies: Parameters<typeof createSettle>[0];
let settle: Settle;
beforeAll(() => {
  database = shop.database;
  dependencies = {
    ...moneyRecordsOn({ now: () => 10_000 }),
    database: { ...database, now: () => 10_000 },
  };
  settle = createSettle(dependencies);
});

async function anOrder(): Promise<string> {
  return (await shop.stored()).id;
}

const loanFor = (
  orderId: string,
  id: string,
  state: LoanState,
  changes: Partial<Loan> = {},
): Loan => aLoan({ id: `${orderId.slice(-12)}-${id}`, orderId, state, ...changes });

async function entriesOf(orderId: string): Promise<string[]> {
  const entries = (await readOrderAccount(database.db, orderId))?.entries ?? [];
  return entries.map(({ kind, loanId, amount }) => `${kind} ${loanId?.slice(13)} ${amount}`);
}

/** The payment issues of an order, or of a loan that has no order, such as `underpaid`. */
async function issuesOf(of: { orderId: string } | { loanId: string }): Promise<string[]> {
  const issues = await database.db
    .selectFrom("payment_issues")
    .select(["kind", "resolution"])
    .where((where) =>
      "orderId" in of
        ? where("order_id", "=", of.orderId)
        : where.and([where("order_id", "is", null), where("loan_id", "=", of.loanId)]),
    )
    .orderBy("kind")
    .execute();
  return issues.map(({ kind, resolution }) =>
    resolution === null ? kind : `${kind}: ${resolution}`,
  );
}

async function statusOf(id: string): Promise<string | undefined> {
  return (await findState(database.db, id))?.status;
}

test("a loan presented for an order that it does not name locks that order too", async () => {
  const [named, presentedFor] = [await anOrder(), await anOrder()];
  const locks: string[][] = [];
  const inTransaction: Database["inTransaction"] = (work) =>
    database.inTransaction((unit) =>
      work({
        ...unit,
        lock(...names) {
          locks.push(names);
          return unit.lock(...names);
        },
      }),
    );
  const loan = loanFor(named, "stray", "paid-out");
  await createSettle({ ...dependencies, database: { ...database, inTransaction } })(
    loan,
    presentedFor,
  );
  expect(locks).toEqual([[loan.id, named, presentedFor]]);
});

/** States, each with one of its provider statuses. */
const anyState = fc.tuple(
  fc.constantFrom<LoanState>(...loanStates),
  fc.constantFrom("one status", "another status"),
);
const answers = fc.array(fc.tuple(fc.constantFrom("a", "b"), anyState), {
  minLength: 1,
  maxLength: 12,
});

test("any sequence of provider answers leaves the order and its money in a valid state", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (reports) => {
      const id = await anOrder();
      let wasPaid = false;
      const payers = new Set<string>();
      for (const [name, [state, providerStatus]] of reports) {
        await settle({ ...loanFor(id, name, state), providerStatus }, id);
        if (state === "paid-out") payers.add(name);
        wasPaid ||= payers.size > 0;
        expect(await statusOf(id)).toEqual(
          wasPaid ? "PaymentProcessed" : expect.stringMatching(/^(Pending|PaymentProcessing)$/),
        );
      }
      const events = await database.db
        .selectFrom("order_events")
        .selectAll()
        .where("order_id", "=", id)
        .where("kind", "=", "moved")
        .orderBy("version")
        .execute();
      for (const { from_status, to_status } of events) {
        if (from_status === null || !isOrderStatus(from_status) || !isOrderStatus(to_status))
          throw new Error(`${from_status} or ${to_status} is not a status of an order`);
        expect(canMove(from_status, to_status)).toBe(true);
      }
      const payoutReports = await database.db
        .selectFrom("receipts")
        .select("loan_id")
        .where("order_id", "=", id)
        .execute();
      expect(new Set(payoutReports.map(({ loan_id }) => loan_id.slice(13)))).toEqual(payers);
    }),
    { numRuns: 60 },
  );
});

test("all paid-out loans of one order are settled, however many there are", async () => {
  const id = await anOrder();
  const loans = Array.from({ length: 9 }, (_, index) => loanFor(id, `l${index}`, "paid-out"));
  // An extension would never have been active.
  for (const loan of loans) await settle({ ...loan, state: "active" });
  for (const loan of loans) expect(await settle(loan)).toEqual({ kind: "bound" });
  expect(await issuesOf({ orderId: id })).toEqual(Array(loans.length - 1).fill("duplicate"));
});

test("concurrent loans of many orders are settled in groups, with the same result as alone", async () => {
  const orders = await Promise.all(Array.from({ length: 120 }, () => anOrder()));
  const states = ["active", "paid-out", "ended"] as const;
  const settlements = await Promise.all(
    orders.map((id, index) => settle(loanFor(id, "a", states[index % 3] ?? "unknown"), id)),
  );
  expect(new Set(settlements.map(({ kind }) => kind))).toEqual(new Set(["bound"]));
  const expected = ["PaymentProcessing", "PaymentProcessed", "Pending"];
  for (const [index, id] of orders.entries()) expect(await statusOf(id)).toBe(expected[index % 3]);
});

test("a loan that cannot be settled does not fail the others in its group", async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => anOrder()));
  const spoilt = orders[7];
  const fragile = createSettle({
    ...dependencies,
    async changeStatuses(unit, changes) {
      if (changes.some(({ orderId }) => orderId === spoilt))
        throw new Error("this one cannot be moved");
      return dependencies.changeStatuses(unit, changes);
    },
  });
  const settled = await Promise.allSettled(
    orders.map((id) => fragile(loanFor(id, "a", "paid-out"), id)),
  );
  expect(settled.map(({ status }) => status === "rejected")).toEqual(
    orders.map((id) => id === spoilt),
  );
  for (const id of orders)
    expect(await statusOf(id)).toBe(id === spoilt ? "Pending" : "PaymentProcessed");
});

test("the sweep settles a presented loan too, and remembers the loans that it has settled", async () => {
  const [mine, another] = [await anOrder(), await anOrder()];
  const loan = loanFor(mine, "a", "paid-out");
  expect(await settle(loan, another)).toEqual({ kind: "refused" });
  expect(await withoutSettled(database.db, [loan])).toEqual([loan]);
  await settle(loan);
  expect(await withoutSettled(database.db, [loan])).toEqual([]);
  expect(await statusOf(mine)).toBe("PaymentProcessed");
});

test("the sweep settles a loan again that a check has changed since", async () => {
  const orderId = await anOrder();
  const paid = loanFor(orderId, "a", "paid-out");
  await settle(paid);
  await settle(loanFor(orderId, "a", "ended"), orderId);
  expect(await withoutSettled(database.db, [paid])).toEqual([paid]);
  await settle(paid);
  expect(await entriesOf(orderId)).toHaveLength(3);
});

test("settling the same loan twice changes nothing the second time", async () => {
  const id = await anOrder();
  const loan = loanFor(id, "a", "active");
  await settle(loan, id);
  const before = await database.db
    .selectFrom("orders")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  await settle(loan, id);
  await settle(loan);
  expect(
    await database.db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst(),
  ).toEqual(before);
});

test.each<[string, Partial<Loan>, string]>([
  ["a cent too little", { cents: 4_499, exactCents: 4_499 }, "underpaid"],
  ["no amount", { cents: undefined, exactCents: undefined }, "underpaid"],
  ["euros", { otherAsset: "euros" }, "wrong-currency"],
  ["no order", { orderId: undefined }, "unknown-order"],
  ["another order", { orderId: "11111111-1111-4111-8111-111111111111" }, "unknown-order"],
])("a loan with %s is refused and recorded", async (_, changes, kind) => {
  const id = await anOrder();
  const loan = { ...loanFor(id, "x", "paid-out"), ...changes };
  expect(await settle(loan, id)).toEqual({ kind: "refused" });
  expect(await statusOf(id)).toBe("Pending");
  expect(await issuesOf({ orderId: id })).toEqual([kind]);
});

test("a paid loan that names an unknown order is recorded, an unpaid one is ignored", async () => {
  const stranger = "99999999-9999-4999-8999-999999999999";
  expect(await settle(loanFor(stranger, "r", "active"))).toEqual({ kind: "ignored" });
  expect(await settle(loanFor(stranger, "p", "paid-out"))).toEqual({ kind: "refused" });
  const { id: loanId } = loanFor(stranger, "p", "paid-out");
  expect(await issuesOf({ loanId })).toEqual(["unknown-order"]);
});

test("a loan of unknown status does not hide that the only other attempt has failed", async () => {
  const id = await anOrder();
  await settle(loanFor(id, "u", "unknown"), id);
  await settle(loanFor(id, "x", "active"), id);
  await settle(loanFor(id, "x", "ended"), id);
  expect(await statusOf(id)).toBe("Pending");
});

test("a loan whose time of change was in the future still ends, and its order is Pending again", async () => {
  const id = await anOrder();
  await settle(loanFor(id, "x", "active", { updatedAt: 20_000 }), id);
  expect(await statusOf(id)).toBe("PaymentProcessing");
  await settle(loanFor(id, "x", "ended", { updatedAt: 9_000 }), id);
  expect(await statusOf(id)).toBe("Pending");
});

test("a second unknown status is recorded too", async () => {
  const id = await anOrder();
  await settle({ ...loanFor(id, "x", "unknown"), providerStatus: "Teleported" }, id);
  await settle({ ...loanFor(id, "x", "unknown"), providerStatus: "Dissolved" }, id);
  const recorded = await database.db
    .selectFrom("payment_issues")
    .select("detail")
    .where("order_id", "=", id)
    .execute();
  expect(recorded).toEqual([{ detail: "Its status, Dissolved, is not known here." }]);
});

test("a loan of an order with a status of a newer version is left alone, and settled once the status is known", async () => {
  const [id, other] = [await anOrder(), await anOrder()];
  const setStatus = (status: string) =>
    sql`update orders set status = ${status} where id = ${id}`.execute(database.db);
  await setStatus("Reviewed");
  const loan = loanFor(id, "a", "paid-out");
  const both = await Promise.all([settle(loan), settle(loanFor(other, "b", "paid-out"))]);
  expect(both).toEqual([{ kind: "undecided" }, { kind: "bound" }]);
  expect(await statusOf(other)).toBe("PaymentProcessed");
  expect(await settle(loan, id)).toEqual({ kind: "undecided" });
  expect(await findState(database.db, id)).toMatchObject({ status: "Reviewed", version: 1 });
  expect(await findLoansOfOrder(database.db, id)).toEqual([]);
  expect(await withoutSettled(database.db, [loan])).toEqual([loan]);
  await setStatus("Pending");
  expect(await settle(loan)).toEqual({ kind: "bound" });
  expect(await statusOf(id)).toBe("PaymentProcessed");
});

test("a bound loan that names another order now still counts for the order that it is bound to", async () => {
  const [own, another] = [await anOrder(), await anOrder()];
  const [one, two] = ["one", "two"].map((name) => aLoan({ id: `${own}-${name}`, orderId: own }));
  if (one === undefined || two === undefined) throw new Error("there are two");
  for (const loan of [one, two]) await settle(loan);
  const over = { state: "ended", providerStatus: "refused" } as const;
  expect(await settle({ ...one, ...over, orderId: another })).toEqual({ kind: "bound" });
  expect(await statusOf(own)).toBe("PaymentProcessing");
  expect(await settle({ ...two, ...over, orderId: another })).toEqual({ kind: "bound" });
  expect(await statusOf(own)).toBe("Pending");
  expect(await statusOf(another)).toBe("Pending");
});

test("a settlement locks the loan, the order that it names, and the order that it is bound to", async () => {
  const [own, another] = [await anOrder(), await anOrder()];
  const loan = aLoan({ id: `${own}-a`, orderId: own });
  await settle(loan);
  const locks: string[][] = [];
  const recording: Database = {
    ...database,
    inTransaction: (work) =>
      database.inTransaction((unit) =>
        work({ ...unit, lock: async (...names) => void locks.push(names) }),
      ),
  };
  const recorded = createSettle({ ...dependencies, database: recording });
  await recorded({ ...loan, orderId: another });
  await recorded({ ...loan, orderId: undefined });
  expect(locks).toEqual([
    [loan.id, another, own],
    [loan.id, own],
  ]);
});

test("a loan that is presented for many foreign orders is recorded for the first", async () => {
  const orders = await Promise.all([1, 2, 3].map(anOrder));
  const loan = aLoan({ id: "stray", orderId: undefined });
  for (const id of orders) expect(await settle(loan, id)).toEqual({ kind: "refused" });
  const recorded = await Promise.all(orders.map((orderId) => issuesOf({ orderId })));
  expect(recorded).toEqual([["unknown-order"], [], []]);
});

test("each payment issue is reported once, after it is stored", async () => {
  const id = await anOrder();
  const reported: string[] = [];
  const { settle: settleAndReport } = settlementOn(database, {
    onIssue: ({ loanId, orderId, kind }) => reported.push(`${loanId} ${orderId} ${kind}`),
  });
  const loan = aLoan({ id: `${id}-a`, orderId: id, cents: 1 });
  await settleAndReport(loan, id);
  await settleAndReport(loan, id);
  expect(reported).toEqual([`${id}-a ${id} underpaid`]);
  const failing: Database = {
    ...database,
    inTransaction: (work) =>
      database.inTransaction(async (unit) => {
        await work(unit);
        throw new Error("it cannot be committed");
      }),
  };
  const { settle: settleInVain } = settlementOn(failing, {
    onIssue: () => reported.push("too early"),
  });
  await expect(settleInVain({ ...loan, id: `${id}-b` }, id)).rejects.toThrow(
    "it cannot be committed",
  );
  expect(reported).toHaveLength(1);
});

test("a settlement commits after everything is stored", async () => {
  const orderId = await anOrder();
  const loan = loanFor(orderId, "a", "paid-out");
  const writes = slowWrites();
  const atCommit: number[] = [];
  const slow: Database = {
    ...database,
    inTransaction: (work) =>
      database.inTransaction(async (unit) => {
        const result = await work({ ...unit, db: unit.db.withPlugin(writes.plugin) });
        atCommit.push(writes.begun, writes.ended);
        return result;
      }),
  };
  const settleSlowly = createSettle({ ...dependencies, database: slow });
  expect(await settleSlowly(loan)).toEqual({ kind: "bound" });
  expect(await statusOf(orderId)).toBe("PaymentProcessed");
  // The loan, the order, its event, and that the sweep has settled the loan; not its entry, which
  // is stored at once.
  expect(atCommit).toEqual([4, 4]);
  // A second loan that pays, and that turns out to extend the first.
  await settleSlowly({ ...loan, id: `${loan.id}-2` });
  await settleSlowly({ ...loan, wasExtended: true, providerStatus: "extended" });
  expect(writes.ended).toBe(writes.begun);
});
