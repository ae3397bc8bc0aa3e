import { randomUUID } from "node:crypto";
import { paths, withId } from "@keepsats/protocol";
import { describe, expect, test } from "vitest";
import { subscribe } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";
import { startReceiver } from "../harness/receiver.ts";
import { waitFor } from "../harness/wait-for.ts";

describe.concurrent.each(databaseKinds)("a granted refund on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });

  async function delivered(total: number, pieces = 1) {
    const order = await shop.paidOrder({ total, pieces });
    okay(await shop.ship(order));
    okay(await shop.deliver(order));
    return { ...order, item_id: `thing-${(total / pieces).toFixed(2)}` };
  }

  const setStock = async (itemId: string, stock: number) =>
    okay(await shop.call("PATCH", withId(paths.admin.item, itemId), { stock }));
  const stockOf = async (itemId: string) => {
    const items = shop.shop.database.db.selectFrom("items").select("stock");
    return (await items.where("id", "=", itemId).executeTakeFirst())?.stock;
  };

  test("of a delivered order keeps its status, and reduces what the shop keeps", async () => {
    const order = await delivered(45);
    const id = await shop.refunded(order, { amount: 20, grant: "goodwill", reason: "a scratch" });
    expect(await shop.orderOf(order)).toMatchObject({
      status: "Delivered",
      ledger: {
        received: 45,
        refunded: 20,
        kept: 25,
        granted: 20,
        grantable: 25,
        waived: 0,
        refund_due: 0,
        missing: 0,
      },
    });
    const { entries } = await shop.ledgerOf(order);
    expect(entries.slice(-2)).toMatchObject([
      { kind: "waived", amount: 20, refund_id: id, grant: "goodwill", loan_id: null },
      { kind: "refunded", amount: 20, refund_id: id, grant: "goodwill", reason: "a scratch" },
    ]);
    expect(await shop.openIssues(order)).toEqual([]);
    const emails = await shop.emailsTo(order);
    expect(emails.at(-1)?.subject).toContain("We have refunded $20.00");
  });

  test("cannot exceed the price, together with earlier ones", async () => {
    const order = await shop.paidOrder();
    await shop.refunded(order, { amount: 5, grant: "goodwill" });
    expect(await shop.refund(order, { amount: 7.01, grant: "return" })).toMatchObject({
      status: 409,
      body: { code: "more_than_refundable", refundable: 7 },
    });
    await shop.refunded(order, { amount: 7, grant: "return" });
    expect(await shop.ledgerOf(order)).toMatchObject({
      refunded: 12,
      kept: 0,
      grantable: 0,
      refundable: 0,
    });
  });

  test("is for pieces of its lines, no piece twice, and restocks those that staff choose", async () => {
    const order = await delivered(21, 3);
    const { item_id } = order;
    await setStock(item_id, 5);
    const id = await shop.refunded(order, {
      amount: 14,
      grant: "return",
      lines: [{ item_id, quantity: 2, restock: 1 }],
    });
    expect(await stockOf(item_id)).toBe(6);
    const { events, refund_lines } = await shop.orderOf(order);
    expect(refund_lines).toEqual([{ refund_id: id, item_id, quantity: 2, restocked: 1 }]);
    expect(events.at(-1)).toMatchObject({
      kind: "refunded",
      detail: "$14.00, return: 2 × Thing for 7 (1 restocked)",
    });
    const tooMany = { amount: 1, grant: "return", lines: [{ item_id, quantity: 2 }] };
    expect(await shop.refund(order, tooMany)).toMatchObject({
      status: 422,
      body: { errors: [{ path: "lines.0.quantity", message: "must be at most 1" }] },
    });
    const other = { amount: 1, grant: "return", lines: [{ item_id: "other", quantity: 1 }] };
    expect(await shop.refund(order, other)).toMatchObject({
      status: 422,
      body: { errors: [{ path: "lines.0.item_id" }] },
    });
    expect(await stockOf(item_id)).toBe(6);
    const emails = await shop.emailsTo(order);
    expect(emails.at(-1)?.text).toContain("For 2 × Thing for 7.");
  });

  test("of a paid order whose pieces were restocked restocks only the others when it is cancelled", async () => {
    const unpaid = await shop.order({ total: 33, pieces: 3 });
    const item_id = "thing-11.00";
    await setStock(item_id, 3);
    okay(await shop.cancel(unpaid));
    const order = await shop.paidOrder({ total: 33, pieces: 3 });
    expect(await stockOf(item_id)).toBe(0);
    const lines = [{ item_id, quantity: 2, restock: 2 }];
    await shop.refunded(order, { amount: 22, grant: "return", lines });
    expect(await stockOf(item_id)).toBe(2);
    okay(await shop.cancel(order));
    expect(await stockOf(item_id)).toBe(3);
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 22, refund_due: 11 });
  });

  test("of an item without a stock count restocks nothing", async () => {
    const order = await delivered(13);
    const lines = [{ item_id: order.item_id, quantity: 1, restock: 1 }];
    await shop.refunded(order, { amount: 13, grant: "return", lines });
    const { refund_lines } = await shop.orderOf(order);
    expect(refund_lines).toMatchObject([{ quantity: 1, restocked: 0 }]);
  });

  test.each([
    ["lines without a grant", { lines: [{ item_id: "x", quantity: 1 }] }, "lines"],
    ["a payment issue", { grant: "return", issue_id: "x" }, "issue_id"],
    ["another currency", { grant: "return", currency: "Eur" }, "currency"],
    ["another kind", { grant: "gift" }, "grant"],
    [
      "an item twice",
      { grant: "return", lines: Array(2).fill({ item_id: "x", quantity: 1 }) },
      "lines",
    ],
    [
      "more restocked pieces than pieces",
      { grant: "return", lines: [{ item_id: "x", quantity: 1, restock: 2 }] },
      "lines.0.restock",
    ],
  ])("with %s is refused", async (_, changes, path) => {
    const order = await shop.paidOrder();
    expect(await shop.refund(order, { amount: 1, ...changes })).toMatchObject({
      status: 422,
      body: { errors: [{ path }] },
    });
  });

  test("that two colleagues record at once is recorded once", async () => {
    const order = await shop.paidOrder();
    const request = { amount: 5, grant: "return", expected_refunded: 0 };
    const both = await Promise.all([shop.refund(order, request), shop.refund(order, request)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 5, granted: 5 });
  });

  test("that is sent again with its key is recorded once; with other lines it is refused", async () => {
    const order = await delivered(12);
    const key = randomUUID();
    const lines = [{ item_id: order.item_id, quantity: 1 }];
    const request = { amount: 5, grant: "return", lines };
    const both = [await shop.refund(order, request, key), await shop.refund(order, request, key)];
    expect(new Set(both.map(({ body }) => Reflect.get(Object(body), "id"))).size).toBe(1);
    for (const other of [
      { amount: 5, grant: "return" },
      { ...request, grant: "goodwill" },
    ])
      expect(await shop.refund(order, other, key)).toMatchObject({
        body: { code: "idempotency_conflict" },
      });
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 5 });
  });

  test("that is sent again with its key and another restocking is refused", async () => {
    const order = await delivered(34, 2);
    const { item_id } = order;
    await setStock(item_id, 5);
    const key = randomUUID();
    const refund = (restock: number) => {
      const lines = [{ item_id, quantity: 2, restock }];
      return shop.refund(order, { amount: 5, grant: "return", lines }, key);
    };
    okay(await refund(1), 201);
    okay(await refund(1), 201);
    for (const other of [0, 2])
      expect(await refund(other)).toMatchObject({ body: { code: "idempotency_conflict" } });
    expect(await stockOf(item_id)).toBe(6);
  });

  test("that is sent again with its key is recorded once, also for items without a stock count", async () => {
    const order = await delivered(14);
    const key = randomUUID();
    const lines = [{ item_id: order.item_id, quantity: 1, restock: 1 }];
    for (const _ of ["first", "again"])
      okay(await shop.refund(order, { amount: 5, grant: "return", lines }, key), 201);
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 5 });
  });

  test("that did not arrive is due, and is made again without a grant", async () => {
    const order = await delivered(45);
    const id = await shop.refunded(order, { amount: 20, grant: "return" });
    okay(await shop.reverseRefund(order, id), 201);
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 0, refund_due: 20, granted: 20 });
    expect(await shop.openIssues(order)).toMatchObject([
      { kind: "overpaid", detail: "A granted refund of $20.00 did not arrive, and is due again." },
    ]);
    expect(await shop.refund(order, { amount: 1, grant: "goodwill" })).toMatchObject({
      status: 409,
      body: { code: "refund_due", refund_due: 20 },
    });
    await shop.refunded(order, { amount: 20 });
    expect(await shop.openIssues(order)).toEqual([]);
    const ledger = await shop.ledgerOf(order);
    expect(ledger).toMatchObject({ refunded: 20, kept: 25, refund_due: 0 });
    expect(ledger.entries.map(({ kind, grant }) => [kind, grant])).toEqual([
      ["received", null],
      ["waived", "return"],
      ["refunded", "return"],
      ["refund-reversed", null],
      ["refunded", null],
    ]);
  });

  test("does not count for a second payout, which is due as a whole", async () => {
    const order = await shop.paidOrder();
    await shop.refunded(order, { amount: 5, grant: "goodwill" });
    const second = aPayout(order, { loan_amount: "13.00" });
    await shop.report(second);
    expect(await shop.openIssues(order)).toMatchObject([
      { kind: "duplicate", loan_id: second.id, open_amount: 13 },
    ]);
  });

  test("of an unpaid, a cancelled and an erased order is refused", async () => {
    const unpaid = await shop.order();
    const cancelled = await shop.cancelledOrder();
    for (const [order, current_status] of [
      [unpaid, "Pending"],
      [cancelled, "Cancelled"],
    ] as const)
      expect(await shop.refund(order, { amount: 1, grant: "return" })).toMatchObject({
        status: 409,
        body: { code: "not_grantable", current_status },
      });
    const erased = await delivered(12);
    okay(await shop.erase(erased));
    expect(await shop.refund(erased, { amount: 1, grant: "return" })).toMatchObject({
      status: 409,
      body: { code: "not_grantable" },
    });
  });

  test("is shown to the customer with the order's key, at once, and to nobody else", async () => {
    const order = await shop.paidOrder();
    const withKey = await shop.subscribe(order);
    const withLoan = await subscribe(shop.shop, order.id, order.loan.id);
    await withLoan.until("the order", ({ type }) => type === "order");
    await shop.refunded(order, { amount: 5, grant: "goodwill" });
    await withKey.until("the refund", ({ data }) => data.refunded === 5);
    await withLoan.until("the next version", () => withLoan.messages.length > 1);
    for (const { data } of withLoan.messages) expect(data.refunded).toBeUndefined();
    await withKey.close();
    await withLoan.close();
    expect(okay(await shop.asCustomer(order, "GET", paths.order))).toMatchObject({ refunded: 5 });
  });

  test("is sent to webhooks with its kind and lines", async () => {
    await using receiver = await startReceiver();
    okay(await shop.call("POST", "/api/admin/webhooks", { url: receiver.url }), 201);
    const order = await delivered(12);
    const lines = [{ item_id: order.item_id, quantity: 1 }];
    await shop.refunded(order, { amount: 5, grant: "return", lines });
    const refunds = () =>
      receiver.received.filter(
        ({ type, data }) => type === "order.refunded" && data.order_id === order.id,
      );
    await waitFor("the webhook", () => refunds().length === 1);
    expect(refunds()[0]?.data).toMatchObject({
      amount: 5,
      grant: "return",
      lines: [{ item_id: order.item_id, quantity: 1, restocked: 0 }],
      refund_due: 0,
    });
  });
});
