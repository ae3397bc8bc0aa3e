import { expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { moneyRecordsOn } from "../../../../../../test/harness/use-cases.ts";
import { findState } from "../../orders/order-repository.ts";
import { findIssued } from "./receipt-repository.ts";
import { createReceipts } from "./receipts.ts";

const shop = useDatabase(sqlite);

test("an order whose stored address is invalid is paid, and has a receipt", async () => {
  const { database } = shop;
  const { id, total_price } = await shop.stored();
  await database.db
    .updateTable("orders")
    .set({ billing_address: "no JSON" })
    .where("id", "=", id)
    .execute();
  const receipts = createReceipts({
    database,
    now: () => 5,
    receiptSettings: () => ({
      seller: { name: "Shop", address: "", tax_number: "" },
      vatRate: null,
      timeZone: "UTC",
    }),
    findVatRates: async () => new Map(),
  });
  const changeStatuses = receipts.issuing(moneyRecordsOn().changeStatuses);
  const change = { orderId: id, to: "PaymentProcessed", by: { kind: "provider" } } as const;
  await database.inTransaction((unit) => changeStatuses(unit, [change]));
  expect((await findState(database.db, id))?.status).toBe("PaymentProcessed");
  expect(await findIssued(database.db, id)).toMatchObject([{ content: { total: total_price } }]);
});
