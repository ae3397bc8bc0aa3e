import { loanStates } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { aBoundLoan, aStoredOrder, noAnnouncements } from "../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../test/harness/databases.ts";
import { insertOrders } from "../orders/place-order-repository.ts";
import {
  type BoundLoan,
  findLoan,
  findLoanAndOthers,
  linkExtension,
  loansOf,
  payingLoans,
  saveLoan,
} from "./loan-repository.ts";
import { createRecordRefundsDue } from "./record.ts";

const used = useDatabase(sqlite);

async function anOrderWith(...loans: readonly Partial<BoundLoan>[]): Promise<BoundLoan[]> {
  const order = aStoredOrder();
  const bound = loans.map((changes, index) =>
    aBoundLoan({ id: `${order.id}-${index}`, orderId: order.id, boundAt: index, ...changes }),
  );
  await used.database.inTransaction(async (unit) => {
    await insertOrders(unit, [{ order, idempotency: undefined }]);
    for (const loan of bound) await saveLoan(unit, loan);
  });
  return bound;
}

test.each(loanStates)("a loan that is %s is read as it was stored", async (state) => {
  const [loan] = await anOrderWith({
    state,
    wasExtended: true,
    cents: undefined,
    extends: "another",
  });
  if (loan === undefined) throw new Error("there is one");
  expect(await findLoan(used.database.db, loan.id)).toEqual(loan);
});

test("a refund is due for each loan that brought money, and not for extensions or unpaid loans", async () => {
  const [one, two, , , another] = await anOrderWith(
    {},
    { cents: undefined },
    { state: "ended" },
    { extends: "the first" },
    { cents: 900 },
  );
  const recorded: string[] = [];
  const record = createRecordRefundsDue({
    now: () => 1,
    announce: noAnnouncements,
    onIssue: (loanId, _, { detail }) => recorded.push(`${loanId}: ${detail}`),
  });
  await used.database.inTransaction((unit) => record(unit, [one?.orderId ?? ""]));
  const cancelled = "The order was cancelled after";
  expect(recorded).toEqual([
    `${one?.id}: ${cancelled} this loan of $45.00 had been paid out: refund it.`,
    `${two?.id}: ${cancelled} this loan had been paid out: refund $45.00.`,
    `${another?.id}: ${cancelled} this loan of $9.00 had been paid out: refund it.`,
  ]);
});

test("the loans of an order are read without those of other orders, oldest first", async () => {
  const [late, early] = await anOrderWith({ boundAt: 2 }, { boundAt: 1 });
  const [other] = await anOrderWith({});
  if (late === undefined || early === undefined || other === undefined)
    throw new Error("there are three");
  const { orderId } = late;
  expect(await loansOf(used.database.db, orderId)).toEqual([early, late]);
  expect(await findLoanAndOthers(used.database.db, late.id, orderId)).toEqual({
    bound: late,
    others: [early],
  });
  expect(await findLoanAndOthers(used.database.db, "new", orderId)).toEqual({
    bound: undefined,
    others: [early, late],
  });
  expect(await findLoanAndOthers(used.database.db, other.id, undefined)).toEqual({
    bound: other,
    others: [],
  });
});

test("the loans that have paid are read by order", async () => {
  const [one, two] = await anOrderWith({}, {}, { state: "active" });
  const [three] = await anOrderWith({});
  const [unpaid] = await anOrderWith({ state: "ended" });
  await anOrderWith({});
  const orderIds = [one, three, unpaid].map((loan) => loan?.orderId ?? "");
  expect(await payingLoans(used.database.db, orderIds)).toEqual(
    new Map([
      [one?.orderId, [one?.id, two?.id]],
      [three?.orderId, [three?.id]],
    ]),
  );
});

test("to link an extension changes no other loan", async () => {
  const [first, second, third] = await anOrderWith({}, {}, {});
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("there are three");
  await used.database.inTransaction((unit) => linkExtension(unit, second.id, first.id));
  expect(await loansOf(used.database.db, first.orderId)).toEqual([
    first,
    { ...second, extends: first.id },
    third,
  ]);
});

test("a bound loan stays with its order when it is stored again", async () => {
  const [loan] = await anOrderWith({ state: "active" });
  if (loan === undefined) throw new Error("there is one");
  const changed = {
    ...loan,
    providerStatus: "paid",
    state: "paid-out",
    cents: 4_600,
    updatedAt: 9,
  } as const;
  await used.database.inTransaction((unit) =>
    saveLoan(unit, { ...changed, orderId: "another", boundAt: 99 }),
  );
  expect(await findLoan(used.database.db, loan.id)).toEqual(changed);
});
