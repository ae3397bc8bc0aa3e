import { expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../test/harness/databases.ts";
import { recordIssue } from "./issue-repository.ts";
import { findBooks, findBooksFor, insertRefund, refundedFor } from "./ledger-repository.ts";
import { saveLoan } from "./loan-repository.ts";

const shop = useDatabase(sqlite);

const give = (orderId: string, id: string, cents: number, at: number) =>
  shop.within((unit) =>
    insertRefund(unit, orderId, {
      id,
      cents,
      method: "cash",
      reference: undefined,
      byName: "Ada",
      at,
    }),
  );
const bind = (orderId: string, id: string) =>
  shop.within((unit) =>
    saveLoan(unit, {
      id,
      orderId,
      providerStatus: "a word",
      state: "paid-out",
      wasExtended: false,
      cents: 4_500,
      extends: undefined,
      boundAt: 1,
      updatedAt: 1,
    }),
  );
const record = (orderId: string, loanId: string) =>
  shop.within((unit) =>
    recordIssue(unit, { loanId, orderId, seenAt: 1 }, { kind: "duplicate", detail: "d" }),
  );

test("the books of many orders are those of each of them, and none of an order that does not exist", async () => {
  const [one, two, empty] = [await shop.stored(), await shop.stored(), await shop.stored()];
  await bind(one.id, `${one.id}-loan`);
  await bind(two.id, `${two.id}-loan`);
  await record(one.id, `${one.id}-stray`);
  await record(one.id, `${two.id}-loan`); // It is bound to another order by now.
  await give(one.id, `${one.id}-2`, 200, 2);
  await give(one.id, `${one.id}-1`, 100, 1);
  await give(two.id, `${two.id}-1`, 900, 1);
  const { db } = shop.database;

  const books = await findBooksFor(db, [one.id, "nowhere", two.id, empty.id]);
  expect([...books.keys()].toSorted()).toEqual([one.id, two.id, empty.id].toSorted());
  for (const { id } of [one, two, empty]) expect(books.get(id)).toEqual(await findBooks(db, id));
  const ofOne = books.get(one.id);
  expect(ofOne?.loans.map(({ id }) => id)).toEqual([`${one.id}-loan`]);
  expect(ofOne?.issues.map(({ loanId }) => loanId)).toEqual([`${one.id}-stray`]);
  expect(ofOne?.refunds.map(({ cents }) => cents)).toEqual([100, 200]);
  expect(books.get(empty.id)).toMatchObject({ loans: [], issues: [], refunds: [] });

  expect(await findBooks(db, "nowhere")).toBeUndefined();
  expect(await findBooksFor(db, [])).toEqual(new Map());
  expect(await refundedFor(db, [one.id, two.id, empty.id])).toEqual(
    new Map([
      [one.id, 300],
      [two.id, 900],
    ]),
  );
});
