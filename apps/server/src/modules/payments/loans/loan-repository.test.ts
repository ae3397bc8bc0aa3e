import { loanStates } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { aStoredLoan, aStoredOrder } from "../../../../../../test/harness/builders.ts";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { insertOrders } from "../../orders/place-order.ts";
import type { StoredLoan } from "../rules.ts";
import {
  findLoan,
  findLoans,
  findLoansOfOrder,
  findPayingLoans,
  findPresumedExtensions,
  saveLoan,
} from "./loan-repository.ts";

const used = useDatabase(sqlite);

async function anOrderWith(...loans: readonly Partial<StoredLoan>[]): Promise<StoredLoan[]> {
  const order = aStoredOrder();
  const bound = loans.map((changes, index) =>
    aStoredLoan({ id: `${order.id}-${index}`, orderId: order.id, boundAt: index, ...changes }),
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
    wasActive: true,
    wasExtended: true,
    cents: undefined,
    amountText: "1e2",
    namedOrderId: undefined,
    refusal: "underpaid",
    presumedExtensionAt: 1,
    paidOutAt: undefined,
  });
  if (loan === undefined) throw new Error("no such loan");
  expect(await findLoan(used.database.db, loan.id)).toEqual(loan);
});

test("the loans of an order are read without those of other orders, oldest first", async () => {
  const [late, early] = await anOrderWith({ boundAt: 2 }, { boundAt: 1 });
  const [other] = await anOrderWith({});
  if (late === undefined || early === undefined || other === undefined)
    throw new Error("there are three");
  const { orderId } = late;
  expect(await findLoansOfOrder(used.database.db, orderId ?? "")).toEqual([early, late]);
  const among = (loanIds: string[], orderIds: (string | undefined)[]) =>
    findLoans(used.database.db, {
      loanIds,
      orderIds: orderIds.filter((id) => id !== undefined),
    });
  expect(await among([late.id], [orderId])).toEqual([early, late]);
  expect(await among(["new"], [orderId])).toEqual([early, late]);
  expect(await among([other.id], [])).toEqual([other]);
});

test("the loans that have paid are read by order", async () => {
  const [one, two] = await anOrderWith({}, {}, { state: "active" }, { refusal: "underpaid" });
  const [three] = await anOrderWith({});
  const [unpaid] = await anOrderWith({ state: "ended" });
  await anOrderWith({});
  const orderIds = [one, three, unpaid].map((loan) => loan?.orderId ?? "");
  expect(await findPayingLoans(used.database.db, orderIds)).toEqual(
    new Map([
      [one?.orderId, [one?.id, two?.id]],
      [three?.orderId, [three?.id]],
    ]),
  );
});

test("money without an order finds one, and stays there", async () => {
  const [loan] = await anOrderWith({});
  const stray = aStoredLoan({ orderId: undefined });
  const save = (orderId: string | undefined) =>
    used.within((unit) => saveLoan(unit, { ...stray, orderId }));
  await save(undefined);
  expect(await findLoan(used.database.db, stray.id)).toEqual(stray);
  await save(loan?.orderId);
  await save(undefined);
  expect((await findLoan(used.database.db, stray.id))?.orderId).toBe(loan?.orderId);
});

test("the loans that are presumed to be extensions are read, the earliest first", async () => {
  const [late, early] = await anOrderWith(
    { presumedExtensionAt: 20 },
    { presumedExtensionAt: 10 },
    { presumedExtensionAt: 30 },
  );
  const found = (await findPresumedExtensions(used.database.db, 20)).map(({ id }) => id);
  expect(found.filter((id) => id === late?.id || id === early?.id)).toEqual([early?.id, late?.id]);
});

test("a bound loan stays with its order when it is stored again", async () => {
  const [loan] = await anOrderWith({ state: "active" });
  if (loan === undefined) throw new Error("no such loan");
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
