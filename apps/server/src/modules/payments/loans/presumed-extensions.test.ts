import { expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { settlementOn } from "../../../../../../test/harness/use-cases.ts";
import { findIssuesOfOrder } from "../issues/issue-repository.ts";
import { readOrderAccount } from "../journal/journal-repository.ts";
import { findLoan } from "./loan-repository.ts";
import { endPresumptions } from "./presumed-extensions.ts";

const shop = useDatabase(sqlite);
const settling = () => settlementOn(shop.database);

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

/** An order with a paid loan, and another loan that is paid. */
async function aPaidOrder() {
  const { id: orderId } = await shop.stored();
  const loan = (name: string) => aLoan({ id: `${orderId}-${name}`, orderId, state: "paid-out" });
  await settling().settle(loan("first"));
  return { orderId, last: loan("last") };
}

test("a payout that may extend an earlier loan opens no issue", async () => {
  const { orderId, last } = await aPaidOrder();
  expect(await settling().settle(last, orderId)).toEqual({ kind: "bound" });
  expect(await kindsOf(orderId)).toEqual([]);
});

test("a payout that no mark explains becomes a duplicate after a sweep that began a minute later", async () => {
  const { orderId, last } = await aPaidOrder();
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

test("an extension recorded as a second payment is corrected once the extended loan is settled", async () => {
  const { settle } = settling();
  const { id: orderId } = await shop.stored();
  const [first, next] = [`${orderId}-a`, `${orderId}-b`];
  const loan = { orderId, state: "paid-out" } as const;
  await settle(aLoan({ id: next, ...loan }));
  await settle(aLoan({ id: first, ...loan, wasExtended: true, providerStatus: "extended" }));
  const account = await readOrderAccount(shop.database.db, orderId);
  expect(account?.entries).toMatchObject([
    { kind: "received", loanId: next, amount: 4_500 },
    { kind: "received", loanId: first, amount: 4_500 },
    { kind: "extension", loanId: next, amount: -4_500 },
  ]);
  expect(await kindsOf(orderId)).toEqual([]);
});
