import { describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";

describe.concurrent.each(databaseKinds)("the journal on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test.each([
    ["another amount", "amount = amount + 1"],
    ["another sign of an unknown amount", "unknown = 1"],
    ["another currency", "currency = 'Eur'"],
    ["another kind", "kind = 'refunded'"],
    ["another order", "order_id = 'another'"],
    ["another loan", "loan_id = 'another'"],
    ["another time", "at = 1"],
    ["a grant", "grant_kind = 'return'"],
  ])("cannot change an entry to %s: the database refuses it", async (_, set) => {
    const order = await shop.paidOrder();
    const before = await shop.ledgerOf(order);
    await expect(
      shop.testDatabase.run(`UPDATE journal SET ${set} WHERE order_id = '${order.id}'`),
    ).rejects.toThrow();
    expect(await shop.ledgerOf(order)).toEqual(before);
  });

  test("cannot lose an entry: the database refuses it", async () => {
    const order = await shop.paidOrder();
    await expect(
      shop.testDatabase.run(`DELETE FROM journal WHERE order_id = '${order.id}'`),
    ).rejects.toThrow();
    expect(await shop.journalOf(order)).toEqual(["received 12"]);
  });

  test("can lose texts written by people, so that an order can be erased", async () => {
    const order = await shop.cancelledOrder();
    await shop.refunded(order, { amount: 12, reference: "Ada Lovelace", reason: "Ada asked" });
    expect(await shop.erase(order)).toMatchObject({ status: 200 });
    const { ledger } = await shop.orderOf(order);
    expect(JSON.stringify(ledger)).not.toMatch(/Ada/);
    expect(ledger).toMatchObject({ received: 12, refunded: 12 });
  });

  test("is corrected by a further entry", async () => {
    const order = await shop.paidOrder();
    const { entries: before } = await shop.ledgerOf(order);
    await shop.report(changed(order.loan, { loan_amount: "13.00" }));
    const { entries: after } = await shop.ledgerOf(order);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length)).toMatchObject([{ kind: "corrected", amount: 1 }]);
  });
});
