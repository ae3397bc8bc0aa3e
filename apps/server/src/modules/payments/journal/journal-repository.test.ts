import { expect, test } from "vitest";
import { aStoredLoan } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { moneyRecordsOn } from "../../../../../../test/harness/use-cases.ts";
import { saveLoan } from "../loans/loan-repository.ts";
import { newEntry } from "../rules/index.ts";
import { readAccount, readAccounts, readOrderAccount } from "./journal-repository.ts";
import { refundedFor } from "./refunds-due.ts";

const shop = useDatabase(sqlite);
const { appendEntries } = moneyRecordsOn({ now: () => 7 });
const ada = { kind: "staff", name: "Ada" } as const;

const received = (orderId: string | undefined, loanId: string, amount = 4_500) =>
  newEntry("received", { amount, currency: "USD", loanId, orderId, at: 3 });
const refunded = (orderId: string, refundId: string, amount: number) =>
  newEntry("refunded", { amount, currency: "USD", loanId: undefined, orderId, refundId });
const append = (...entries: ReturnType<typeof newEntry>[]) =>
  shop.within((unit) => appendEntries(unit, entries, ada));

test("the accounts of many orders are those of each of them, and empty for an order that does not exist", async () => {
  const [one, two, empty] = [await shop.stored(), await shop.stored(), await shop.stored()];
  for (const { id } of [one, two])
    await shop.within((unit) => saveLoan(unit, aStoredLoan({ id: `${id}-loan`, orderId: id })));
  await append(received(one.id, `${one.id}-loan`), received(two.id, `${two.id}-loan`));
  await append(refunded(one.id, `${one.id}-1`, 100), refunded(one.id, `${one.id}-2`, 200));
  await append(refunded(two.id, `${two.id}-1`, 900));
  const { db } = shop.database;

  const ids = [one.id, "nowhere", two.id, empty.id];
  const accountBy = await readAccounts(
    db,
    ids.map((orderId) => ({ orderId })),
  );
  for (const { id } of [one, two, empty])
    expect(accountBy({ orderId: id })).toEqual(await readOrderAccount(db, id));
  const ofOne = accountBy({ orderId: one.id });
  expect(ofOne.loans.map(({ id }) => id)).toEqual([`${one.id}-loan`]);
  expect(ofOne.entries.map(({ kind, amount, at, byName }) => [kind, amount, at, byName])).toEqual([
    ["received", 4_500, 3, "Ada"],
    ["refunded", 100, 7, "Ada"],
    ["refunded", 200, 7, "Ada"],
  ]);
  expect(accountBy({ orderId: empty.id })).toMatchObject({ loans: [], entries: [] });
  const none = { order: undefined, loans: [], entries: [] };
  expect(accountBy({ orderId: "nowhere" })).toEqual(none);

  expect(await readOrderAccount(db, "nowhere")).toBeUndefined();
  expect((await readAccounts(db, []))({ orderId: one.id })).toEqual(none);
  expect(await refundedFor(db, [one.id, two.id, empty.id])).toEqual(
    new Map([
      [one.id, 300],
      [two.id, 900],
    ]),
  );
});

test("a refund that did not arrive does not count as refunded", async () => {
  const { id } = await shop.stored();
  await append(refunded(id, `${id}-1`, 900));
  await append({ ...refunded(id, `${id}-1`, 900), kind: "refund-reversed" });
  expect(await refundedFor(shop.database.db, [id])).toEqual(new Map([[id, 0]]));
});

test("the account of a loan has its money without an order only", async () => {
  const { id: orderId } = await shop.stored();
  const loan = aStoredLoan({ orderId: undefined });
  await shop.within((unit) => saveLoan(unit, loan));
  await append(received(undefined, loan.id), received(orderId, loan.id, 1));
  await append(received(undefined, "another loan"));
  const account = await readAccount(shop.database.db, { loanId: loan.id });
  expect(account.order).toBeUndefined();
  expect(account.loans).toEqual([loan]);
  expect(account.entries.map(({ amount }) => amount)).toEqual([4_500]);
});

test("a refund is recorded once under its id", async () => {
  const { id } = await shop.stored();
  await append(refunded(id, `${id}-1`, 900));
  await expect(append(refunded(id, `${id}-1`, 900))).rejects.toThrow(/constraint/i);
});

test.each([
  "DELETE FROM journal",
  "UPDATE journal SET amount = 1",
  "UPDATE receipts SET amount = 1",
])("a database refuses %s", async (statement) => {
  const { id } = await shop.stored();
  const payoutReport = {
    loanId: `${id}-loan`,
    orderId: id,
    amount: 4_500,
    currency: "USD",
    providerAmount: "45.00",
    paidAt: 1,
    seenAt: 1,
  };
  await shop.within((unit) =>
    appendEntries(unit, [received(id, `${id}-loan`)], { kind: "provider" }, [payoutReport]),
  );
  await expect(shop.testDatabase.run(statement)).rejects.toThrow("never changed");
});
