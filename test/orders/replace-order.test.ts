import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { storeItems } from "../../apps/server/src/modules/catalogue/item-repository.ts";
import { createStock, type Stock } from "../../apps/server/src/modules/catalogue/stock.ts";
import { findState } from "../../apps/server/src/modules/orders/order-repository.ts";
import { keyReused } from "../../apps/server/src/modules/orders/placing/place-order.ts";
import { createReplaceOrder } from "../../apps/server/src/modules/orders/placing/replace-order.ts";
import { listIssues } from "../../apps/server/src/modules/payments/issues/issue-repository.ts";
import type { LoanProvider } from "../../apps/server/src/modules/payments/loans/loan-provider.ts";
import { queueLoans } from "../../apps/server/src/modules/payments/loans/loan-queue.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { aLoan, anOrder, aStoredItem, noEvents } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { kindOf } from "../harness/outcomes.ts";
import { aProvider } from "../harness/provider.ts";
import { cancelOrderOn, useCasesOn } from "../harness/use-cases.ts";

function replaceOn(
  database: Database,
  provider: LoanProvider = aProvider(),
  brokenStock: Partial<Stock> = {},
) {
  const bus = createInProcessBus();
  return createReplaceOrder({
    stock: { ...createStock({ bus, emitEvents: noEvents }), ...brokenStock },
    bus,
    emitEvents: noEvents,
    now: () => 5,
    newId: randomUUID,
    cancelOrder: cancelOrderOn(database, provider),
  });
}

describe.each(databaseKinds)("replacing an unpaid order on $name", (kind) => {
  const shop = useDatabase(kind);
  const body = (...lines: [item_id: string, quantity: number][]) =>
    anOrder({ items: lines.map(([item_id, quantity]) => ({ item_id, quantity })) });
  const statusOf = async (id: string) => (await findState(shop.database.db, id))?.status;
  const stockOf = async (...ids: string[]) => {
    const rows = await shop.database.db
      .selectFrom("items")
      .select(["id", "stock"])
      .where("id", "in", ids)
      .execute();
    return ids.map((id) => rows.find((row) => row.id === id)?.stock);
  };
  let one: string;
  let other: string;

  beforeEach(async () => {
    [one, other] = [randomUUID(), randomUUID()];
    for (const [id, stock] of [
      [one, 1],
      [other, 5],
    ] as const)
      await shop.within((unit) => storeItems(unit, [aStoredItem({ id, price: 1_000, stock })]));
  });
  async function placed(...lines: [string, number][]): Promise<string> {
    const outcome = await useCasesOn(shop.database).placeOrder({ body: body(...lines) });
    if (outcome.kind !== "placed") throw new Error(outcome.kind);
    return outcome.order.id;
  }

  test("cancels it, places the new one with its pieces, and is idempotent", async () => {
    const old = await placed([one, 1]);
    const request = { body: body([one, 1], [other, 2]), idempotencyKey: randomUUID() };
    const outcome = await replaceOn(shop.database)(old, request);
    expect(outcome).toMatchObject({ kind: "placed", order: { total_price: 3_000 } });
    expect(await statusOf(old)).toBe("Cancelled");
    expect(await stockOf(one, other)).toEqual([0, 3]);
    expect(await replaceOn(shop.secondConnection)(old, request)).toMatchObject({
      kind: "repeated",
    });
    expect(await stockOf(one, other)).toEqual([0, 3]);
  });

  test("keeps it if the new one cannot be placed", async () => {
    const old = await placed([one, 1]);
    expect(await replaceOn(shop.database)(old, { body: body([one, 2]) })).toMatchObject({
      code: "out_of_stock",
      details: { items: [{ item_id: one, left: 1 }] },
    });
    const expected = { total: 1, prices: undefined };
    expect(await replaceOn(shop.database)(old, { body: body([one, 1]), expected })).toMatchObject({
      code: "price_changed",
    });
    expect([await statusOf(old), ...(await stockOf(one))]).toEqual(["Pending", 0]);
  });

  test("is refused with the key and body that placed it, even if it was cancelled before", async () => {
    const request = { body: body([one, 1]), idempotencyKey: randomUUID() };
    const outcome = await useCasesOn(shop.database).placeOrder(request);
    if (outcome.kind !== "placed") throw new Error(outcome.kind);
    const { id } = outcome.order;
    expect(await replaceOn(shop.database)(id, request)).toEqual(keyReused);
    expect([await statusOf(id), ...(await stockOf(one))]).toEqual(["Pending", 0]);
    await replaceOn(shop.database)(id, { body: body([other, 1]) });
    expect(await replaceOn(shop.database)(id, request)).toEqual(keyReused);
  });

  test("that fails between the cancellation and the new order changes nothing", async () => {
    const old = await placed([one, 1]);
    const replace = replaceOn(shop.database, aProvider(), {
      read: () => Promise.reject(new Error("the process ends")),
    });
    await expect(replace(old, { body: body([one, 1]) })).rejects.toThrow("the process ends");
    expect([await statusOf(old), ...(await stockOf(one))]).toEqual(["Pending", 0]);
  });

  test("is refused, and places nothing, while a loan presented with its key is active or cannot be checked", async () => {
    const old = await placed([one, 1]);
    const loan = aLoan({ id: randomUUID(), orderId: old, cents: 1_000 });
    await shop.within((unit) =>
      queueLoans(unit, [{ orderId: old, loanId: loan.id, holdsKey: true }], shop.database.now()),
    );
    const provider = aProvider([loan]);
    provider.away = true;
    const request = { body: body([one, 1], [other, 1]) };
    expect(await replaceOn(shop.database, provider)(old, request)).toMatchObject({
      code: "unavailable",
    });
    await useCasesOn(shop.database).settle(loan);
    expect(await replaceOn(shop.database, provider)(old, request)).toMatchObject({
      code: "loan_active",
    });
    await useCasesOn(shop.database).settle({ ...loan, state: "paid-out" });
    expect(await replaceOn(shop.database, provider)(old, request)).toEqual(
      new Refusal("transition_refused", {
        detail: "An order that is PaymentProcessed cannot be cancelled.",
        current_status: "PaymentProcessed",
      }),
    );
    expect(await stockOf(one, other)).toEqual([0, 5]);
  });

  test("twice at once gives the pieces to only one of the new orders", async () => {
    for (let round = 0; round < 10; round += 1) {
      const item = randomUUID();
      await shop.within((unit) =>
        storeItems(unit, [aStoredItem({ id: item, price: 1_000, stock: 1 })]),
      );
      const old = await placed([item, 1]);
      const outcomes = await Promise.all(
        [shop.database, shop.secondConnection].map((on) =>
          replaceOn(on)(old, { body: body([item, 1], [other, 1]) }),
        ),
      );
      expect(outcomes.map(kindOf).sort()).toEqual(["out_of_stock", "placed"]);
      expect(await stockOf(item)).toEqual([0]);
      await shop.database.db
        .updateTable("items")
        .set({ stock: 5 })
        .where("id", "=", other)
        .execute();
    }
  });

  test("with the same request twice at once places one order", async () => {
    const old = await placed([one, 1]);
    const request = { body: body([one, 1]), idempotencyKey: randomUUID() };
    const outcomes = await Promise.all(
      [shop.database, shop.secondConnection].map((on) => replaceOn(on)(old, request)),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["placed", "repeated"]);
  });

  test("and a payment at the same moment: the payment pays the old order, or is a payment issue", async () => {
    const ends = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const item = randomUUID();
      await shop.within((unit) =>
        storeItems(unit, [aStoredItem({ id: item, price: 4_500, stock: 1 })]),
      );
      const old = await placed([item, 1]);
      const loan = aLoan({ id: randomUUID(), orderId: old, state: "paid-out" });
      const [outcome] = await Promise.all([
        replaceOn(shop.database)(old, { body: body([item, 1]) }),
        useCasesOn(shop.secondConnection).settle(loan),
      ]);
      const page = await listIssues(shop.database.db, { limit: 1_000 });
      const issues = page.filter(({ orderId }) => orderId === old).map(({ kind }) => kind);
      ends.add([kindOf(outcome), await statusOf(old), ...issues].join("; "));
      expect(await stockOf(item)).toEqual([0]);
    }
    const allowed = [
      "placed; Cancelled; paid-after-cancel",
      "transition_refused; PaymentProcessed",
    ];
    expect([...ends].filter((end) => !allowed.includes(end))).toEqual([]);
  });

  test("cannot deadlock with concurrent orders of the same items, and no piece is sold twice", async () => {
    await shop.database.db
      .updateTable("items")
      .set({ stock: 10 })
      .where("id", "in", [one, other])
      .execute();
    const olds = [];
    for (let count = 0; count < 5; count += 1) olds.push(await placed([other, 1]));
    const { placeOrder } = useCasesOn(shop.secondConnection);
    const outcomes = await Promise.all([
      ...olds.map((old) => replaceOn(shop.database)(old, { body: body([one, 1]) })),
      ...olds.map(() => placeOrder({ body: body([one, 1], [other, 1]) })),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(10).fill("placed"));
    expect(await stockOf(one, other)).toEqual([0, 5]);
  });
});
