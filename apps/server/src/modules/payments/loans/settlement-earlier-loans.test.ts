import { expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { settlementOn } from "../../../../../../test/harness/use-cases.ts";
import { slowWrites } from "../../../../../../test/harness/watched-database.ts";
import type { Database } from "../../../platform/database/database.ts";
import { findState } from "../../orders/order-repository.ts";
import { findIssuesOfOrder } from "../issues/issue-repository.ts";
import { readOrderAccount } from "../journal/journal-repository.ts";
import { findLoan } from "./loan-repository.ts";
import { endPresumptions } from "./presumed-extensions.ts";

const shop = useDatabase(sqlite);
const settling = () => settlementOn(shop.database);

const statusOf = async (orderId: string) => (await findState(shop.database.db, orderId))?.status;
const kindsOf = async (orderId: string) =>
  (await findIssuesOfOrder(shop.database.db, orderId)).map(({ kind }) => kind);

/** The ids of the loans of an order that are extensions now. */
async function extensionsOf(orderId: string): Promise<string[]> {
  const account = await readOrderAccount(shop.database.db, orderId);
  const sums = new Map<string, number>();
  for (const { kind, loanId = "", amount } of account?.entries ?? [])
    if (kind === "extension") sums.set(loanId, (sums.get(loanId) ?? 0) + amount);
  return [...sums].filter(([, sum]) => sum !== 0).map(([loanId]) => loanId);
}

/** An order with so many paid loans, and one more loan that is paid. */
async function anOrderWithPaid(count: number) {
  const { id: orderId } = await shop.stored();
  const loan = (name: string) => aLoan({ id: `${orderId}-${name}`, orderId, state: "paid-out" });
  const { settle } = settling();
  for (let index = 0; index < count; index += 1) await settle(loan(String(index)));
  return { orderId, last: loan("last") };
}

test("a bound loan that names another order now still counts for the order that it is bound to", async () => {
  const { settle } = settling();
  const [own, another] = [await shop.stored(), await shop.stored()];
  const [one, two] = ["one", "two"].map((name) =>
    aLoan({ id: `${own.id}-${name}`, orderId: own.id }),
  );
  if (one === undefined || two === undefined) throw new Error("there are two");
  for (const loan of [one, two]) await settle(loan);
  const over = { state: "ended", providerStatus: "refused" } as const;
  expect(await settle({ ...one, ...over, orderId: another.id })).toEqual({ kind: "bound" });
  expect(await statusOf(own.id)).toBe("PaymentProcessing");
  expect(await settle({ ...two, ...over, orderId: another.id })).toEqual({ kind: "bound" });
  expect(await statusOf(own.id)).toBe("Pending");
  expect(await statusOf(another.id)).toBe("Pending");
});

test("a settlement locks the loan, the order that it names, and the order that it is bound to", async () => {
  const [own, another] = [await shop.stored(), await shop.stored()];
  const loan = aLoan({ id: `${own.id}-a`, orderId: own.id });
  await settling().settle(loan);
  const locks: string[][] = [];
  const recording: Database = {
    ...shop.database,
    inTransaction: (work) =>
      shop.database.inTransaction((unit) =>
        work({ ...unit, lock: async (...names) => void locks.push(names) }),
      ),
  };
  const { settle } = settlementOn(recording);
  await settle({ ...loan, orderId: another.id });
  await settle({ ...loan, orderId: undefined });
  expect(locks).toEqual([
    [loan.id, another.id, own.id],
    [loan.id, own.id],
  ]);
});

test("a payout that may extend an earlier loan opens no issue", async () => {
  const { orderId, last } = await anOrderWithPaid(1);
  expect(await settling().settle(last, orderId)).toEqual({ kind: "bound" });
  expect(await kindsOf(orderId)).toEqual([]);
});

test("a payout that no mark explains becomes a duplicate after a sweep that began a minute later", async () => {
  const { orderId, last } = await anOrderWithPaid(1);
  let now = 10_000;
  const records = settlementOn(shop.database, { now: () => now });
  const afterSweep = (began: number) =>
    endPresumptions(began, {
      ...records,
      database: { ...shop.database, now: () => now },
      onError: (error) => {
        throw error;
      },
    });
  await records.settle(last);
  now = 80_000;
  await afterSweep(69_999);
  expect(await kindsOf(orderId)).toEqual([]);
  await afterSweep(70_000);
  expect(await kindsOf(orderId)).toEqual(["duplicate"]);
  expect(await extensionsOf(orderId)).toEqual([]);
  expect((await findLoan(shop.database.db, last.id))?.presumedExtensionAt).toBeUndefined();
});

test("a loan that is presented for many foreign orders is recorded for the first", async () => {
  const { settle } = settling();
  const orders = await Promise.all([1, 2, 3].map(() => shop.stored()));
  const loan = aLoan({ id: "stray", orderId: undefined });
  for (const { id } of orders) expect(await settle(loan, id)).toEqual({ kind: "refused" });
  const recorded = await Promise.all(orders.map(({ id }) => kindsOf(id)));
  expect(recorded).toEqual([["unknown-order"], [], []]);
});

test("each payment issue is reported once, after it is stored", async () => {
  const { id } = await shop.stored();
  const reported: string[] = [];
  const { settle } = settlementOn(shop.database, {
    onIssue: ({ loanId, orderId, kind }) => reported.push(`${loanId} ${orderId} ${kind}`),
  });
  const loan = aLoan({ id: `${id}-a`, orderId: id, cents: 1 });
  await settle(loan, id);
  await settle(loan, id);
  expect(reported).toEqual([`${id}-a ${id} underpaid`]);
  const failing: Database = {
    ...shop.database,
    inTransaction: (work) =>
      shop.database.inTransaction(async (unit) => {
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
  const { orderId, last } = await anOrderWithPaid(0);
  const writes = slowWrites();
  const atCommit: number[] = [];
  const slow: Database = {
    ...shop.database,
    inTransaction: (work) =>
      shop.database.inTransaction(async (unit) => {
        const result = await work({ ...unit, db: unit.db.withPlugin(writes.plugin) });
        atCommit.push(writes.begun, writes.ended);
        return result;
      }),
  };
  const { settle } = settlementOn(slow);
  expect(await settle(last)).toEqual({ kind: "bound" });
  expect(await statusOf(orderId)).toBe("PaymentProcessed");
  // The loan, the order, its event, and that the sweep has settled the loan; not its entry, which
  // is stored at once.
  expect(atCommit).toEqual([4, 4]);
  // A second loan that pays, and that turns out to extend the first.
  await settle({ ...last, id: `${last.id}-2` });
  await settle({ ...last, wasExtended: true, providerStatus: "extended" });
  expect(writes.ended).toBe(writes.begun);
});

test("an extension that is first reported after the extended loan was closed is not a second payment", async () => {
  const { settle } = settling();
  const { id: orderId } = await shop.stored();
  const earlier = aLoan({ id: `${orderId}-a`, orderId, state: "paid-out" });
  await settle(earlier);
  await settle({ ...earlier, providerStatus: "extended", wasExtended: true });
  await settle({ ...earlier, providerStatus: "closed", wasExtended: false });
  const next = aLoan({ id: `${orderId}-b`, orderId, state: "paid-out" });
  expect(await settle(next, orderId)).toEqual({ kind: "bound" });
  expect(await extensionsOf(orderId)).toEqual([next.id]);
  expect(await kindsOf(orderId)).toEqual([]);
});
