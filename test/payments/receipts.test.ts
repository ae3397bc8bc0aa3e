import { orderKeyHeader, paths, receiptsSchema, withId } from "@keepsats/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { readDatabase } from "../../apps/server/src/config/config.ts";
import { databaseKinds, sqlite } from "../harness/databases.ts";
import { aPayout } from "../harness/loans.ts";
import { type PlacedOrder, useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { restoreRelease } from "../releases/stored-release.ts";
import { mixedOrder } from "./mixed-order.ts";

const SETTINGS = {
  seller_name: "Corner Shop Ltd",
  seller_address: "1 Main Street\n10115 Berlin",
  tax_number: "DE123456789",
  vat_rate: "19",
};
const seller = {
  name: "Corner Shop Ltd",
  address: SETTINGS.seller_address,
  tax_number: "DE123456789",
};

/** The receipts of an order, decoded. */
async function read(shop: Pick<Shop, "url" | "token">, { id }: { readonly id: string }) {
  const answer = await callAdminApi(shop, "GET", withId(paths.admin.receipts, id));
  return receiptsSchema.parse(okay(answer)).receipts;
}

describe.concurrent.each(databaseKinds)("the receipt of an order on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });
  beforeAll(async () => {
    okay(await shop.call("PUT", paths.admin.settings, SETTINGS));
  });

  test("is issued with the payment, with seller, number and the VAT of each rate", async () => {
    const order = await mixedOrder(shop);
    const receipts = await read(shop.shop, order);
    expect(receipts).toMatchObject([
      {
        kind: "receipt",
        number: order.number.replace("K-", "R-"),
        order_number: order.number,
        seller,
        customer_name: "Ada Lovelace",
        lines: [
          { name: "lamp", quantity: 1, price: 10_000, vat_rate: 1_900 },
          { name: "book", quantity: 2, price: 2_000, vat_rate: 700 },
        ],
        total: 14_000,
        reduction: 0,
        vat: [
          { rate: 1_900, gross: 10_000, vat: 1_597 },
          { rate: 700, gross: 4_000, vat: 262 },
        ],
        reason: null,
      },
    ]);
    const answer = await shop.asCustomer(order, "GET", paths.receipts);
    expect(receiptsSchema.parse(okay(answer)).receipts).toEqual(receipts);
    const paid = (await shop.emailsTo(order)).find(({ subject }) => subject.includes("is paid"));
    expect(paid?.text).toContain(`Your receipt ${order.number.replace("K-", "R-")}`);
  });

  test("does not exist before the payment", async () => {
    expect(await read(shop.shop, await shop.order())).toEqual([]);
  });

  test("needs the order's key", async () => {
    const order = await shop.paidOrder();
    const url = shop.shop.url + withId(paths.receipts, order.id);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { [orderKeyHeader]: "wrong" } })).status).toBe(404);
  });

  test("states what was charged if staff accepted a smaller loan", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "7.20" }));
    okay(await shop.resolve(await shop.issue(order, "underpaid"), "accepted"));
    expect(await read(shop.shop, order)).toMatchObject([
      { total: 720, reduction: 480, vat: [{ rate: 1_900, gross: 720, vat: 115 }] },
    ]);
  });

  test("keeps its buyer until the order is erased", async () => {
    const order = await shop.cancelledOrder();
    await shop.refunded(order, { amount: 12 });
    const before = await read(shop.shop, order);
    expect(before.map(({ customer_name }) => customer_name)).toEqual([
      "Ada Lovelace",
      "Ada Lovelace",
    ]);
    okay(await shop.erase(order));
    const blank = { street: "", city: "", state: "", postal_code: "", country: "" };
    expect(await read(shop.shop, order)).toEqual(
      before.map((one) => ({ ...one, customer_name: "", billing_address: blank })),
    );
    const rows = await shop.testDatabase.run(
      `SELECT content FROM issued_receipts WHERE order_id = '${order.id}'`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/Ada|London/);
  });

  test.each(["UPDATE issued_receipts SET content = '{}'", "DELETE FROM issued_receipts"])(
    "cannot be changed: the database refuses %s",
    async (sql) => {
      const order = await shop.paidOrder();
      await expect(shop.testDatabase.run(`${sql} WHERE order_id = '${order.id}'`)).rejects.toThrow(
        /never changed/,
      );
    },
  );
});

describe.concurrent.each(databaseKinds)("a credit note on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });
  beforeAll(async () => {
    okay(await shop.call("PUT", paths.admin.settings, SETTINGS));
  });
  const creditNotes = async (order: PlacedOrder) => (await read(shop.shop, order)).slice(1);

  test("is issued for each granted refund, and together they leave no VAT", async () => {
    const order = await mixedOrder(shop);
    const lines = [{ item_id: "book", quantity: 1 }];
    await shop.refunded(order, { amount: 20, grant: "return", lines });
    await shop.refunded(order, { amount: 120, grant: "goodwill" });
    const number = order.number.replace("K-", "C-");
    expect(await creditNotes(order)).toMatchObject([
      {
        kind: "credit-note",
        number: `${number}-1`,
        seller,
        lines: [{ name: "book", quantity: 1, price: 2_000, vat_rate: 700 }],
        total: 2_000,
        vat: [{ rate: 700, gross: 2_000, vat: 131 }],
        reason: "return",
      },
      {
        number: `${number}-2`,
        lines: [],
        total: 12_000,
        vat: [
          { rate: 1_900, gross: 10_000, vat: 1_597 },
          { rate: 700, gross: 2_000, vat: 131 },
        ],
        reason: "goodwill",
      },
    ]);
    const email = (await shop.emailsTo(order)).findLast(({ subject }) => subject.includes("$120"));
    expect(email?.text).toContain(`Your credit note ${number}-2`);
  });

  test("is issued for the refunds of a cancelled order, up to its price", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "15.00" }));
    okay(await shop.cancel(order));
    await shop.refunded(order, { amount: 10 });
    await shop.refunded(order, { amount: 5 });
    expect(await creditNotes(order)).toMatchObject([
      { total: 1_000, reason: "cancellation" },
      { total: 200, reason: "cancellation" },
    ]);
  });

  test("is not issued for money that was never part of the price", async () => {
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "15.00" }));
    await shop.refunded(order, { amount: 3 });
    expect(await creditNotes(order)).toEqual([]);
    okay(await shop.cancel(order));
    expect(await creditNotes(order)).toEqual([]);
    await shop.refunded(order, { amount: 12 });
    expect(await creditNotes(order)).toMatchObject([{ total: 1_200 }]);
  });

  test("is issued once for a refund that did not arrive and is repeated", async () => {
    const order = await shop.paidOrder();
    const id = await shop.refunded(order, { amount: 5, grant: "goodwill" });
    okay(await shop.reverseRefund(order, id), 201);
    await shop.refunded(order, { amount: 5 });
    expect(await creditNotes(order)).toMatchObject([{ total: 500 }]);
  });

  test("is issued once if the refund of a cancelled order did not arrive and is repeated", async () => {
    const order = await shop.cancelledOrder();
    for (const [amount, arrives] of [
      [5, false],
      [7, false],
      [10, true],
      [2, true],
    ] as const) {
      const id = await shop.refunded(order, { amount });
      if (!arrives) okay(await shop.reverseRefund(order, id), 201);
    }
    const totals = (await creditNotes(order)).map(({ total }) => total);
    expect(totals).toEqual([500, 200, 300, 200]);
  });
});

describe("receipts", () => {
  const shop = useMoneyShop(sqlite);

  test("keep the seller and the rates of their day, and the billing address", async () => {
    okay(await shop.call("PUT", paths.admin.settings, SETTINGS));
    const order = await mixedOrder(shop);
    const before = await read(shop.shop, order);
    okay(
      await shop.call("PUT", paths.admin.settings, {
        name: "Renamed",
        seller_name: null,
        seller_address: null,
        tax_number: null,
        vat_rate: "25",
      }),
    );
    okay(await shop.call("PATCH", withId(paths.admin.item, "book"), { vat_rate: 0 }));
    const address = { street: "2 New Street", city: "Berlin", state: "Berlin" };
    okay(
      await shop.correctAddress(order, { ...address, postal_code: "10115", country: "Germany" }),
    );
    expect(await read(shop.shop, order)).toEqual(before);
    await shop.refunded(order, { amount: 140, grant: "return" });
    expect((await read(shop.shop, order)).at(1)).toMatchObject({
      seller: { name: "Renamed", address: null, tax_number: null },
      vat: before[0]?.vat,
    });
  });

  test("state no VAT without a rate", async () => {
    okay(await shop.call("PUT", paths.admin.settings, { vat_rate: null }));
    expect(await read(shop.shop, await shop.paidOrder())).toMatchObject([
      { total: 1_200, vat: [], lines: [{ vat_rate: null }] },
    ]);
  });

  test.each(["0", "0.00", "100.01", "-1", "19.555", "19,5", "", " 19", "x"])(
    "refuse a VAT rate of %j percent",
    async (vat_rate) => {
      expect(await shop.call("PUT", paths.admin.settings, { vat_rate })).toMatchObject({
        status: 422,
        body: { errors: [{ path: "vat_rate" }] },
      });
    },
  );

  test.each([-1, 100.5, 7.555, "7"])(
    "refuse an item's VAT rate of %j percent",
    async (vat_rate) => {
      await shop.paidOrder();
      expect(
        await shop.call("PATCH", withId(paths.admin.item, "thing-12.00"), { vat_rate }),
      ).toMatchObject({ status: 422, body: { errors: [{ path: "vat_rate" }] } });
    },
  );
});

test.each(databaseKinds)(
  "the receipt of an order that was paid under 1.0.0 is issued once, by the first to read it, on $name",
  async (kind) => {
    await using testDatabase = await restoreRelease("1.0.0", kind);
    const config = { database: readDatabase({ DATABASE_URL: testDatabase.url }) };
    await using one = await startShop({ config });
    okay(await callAdminApi(one, "PUT", paths.admin.settings, SETTINGS));
    // Started now, it knows the settings.
    await using other = await startShop({ config });
    const [paid] = await testDatabase.run(
      "SELECT id FROM orders WHERE paid_at IS NOT NULL AND status = 'Cancelled' LIMIT 1",
    );
    const [delivered] = await testDatabase.run(
      "SELECT id FROM orders WHERE status = 'Delivered' LIMIT 1",
    );
    for (const row of [paid, delivered]) {
      expect(row).toBeDefined();
      const order = { id: String(Object(row).id) };
      const answers = await Promise.all([one, other, one, other].map((shop) => read(shop, order)));
      const [first] = answers;
      expect(first?.at(0)).toMatchObject({ kind: "receipt", seller });
      for (const answer of answers) expect(answer).toEqual(first);
      const rows = await testDatabase.run(
        `SELECT sequence FROM issued_receipts WHERE order_id = '${order.id}'`,
      );
      expect(rows).toHaveLength(first?.length ?? 0);
    }
  },
);
