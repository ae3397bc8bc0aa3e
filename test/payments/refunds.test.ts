import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { databaseKinds, postgres } from "../harness/databases.ts";
import { aPayout } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay, staffOf } from "../harness/money-staff.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startShop } from "../harness/shop.ts";
import { waitFor } from "../harness/wait-for.ts";

describe.concurrent.each(databaseKinds)("on $name", (kind) => {
  const shop = useMoneyShop(kind);

  describe("a refund", () => {
    test("is recorded in two parts, not a cent more, and resolves its issue", async () => {
      const order = await shop.cancelledOrder();
      const issue = await shop.issue(order, "paid-after-cancel");
      expect(issue).toMatchObject({ balance: { refund_due: 12 } });
      expect(await shop.resolve(issue, "refunded")).toMatchObject({
        status: 409,
        body: { code: "refund_due", refund_due: 12 },
      });
      expect(await shop.refund(order, { amount: 12.01 })).toMatchObject({
        status: 409,
        body: { code: "more_than_refundable", refundable: 12 },
      });
      await shop.refunded(order, { amount: 5 });
      expect(await shop.openKinds(order)).toEqual(["paid-after-cancel"]);
      await shop.refunded(order, { amount: 7 });
      expect(await shop.refund(order, { amount: 0.01 })).toMatchObject({ status: 409 });
      expect(await shop.ledgerOf(order)).toMatchObject({
        received: 12,
        kept: 0,
        refund_due: 0,
        refundable: 0,
        refunded: 12,
        missing: 0,
      });
      expect(await shop.issue(order, "paid-after-cancel")).toMatchObject({
        resolution: { kind: "refunded" },
      });
    });

    test("has its method, reference, reason and author in the journal", async () => {
      const order = await shop.cancelledOrder();
      const { id: issue_id } = await shop.issue(order, "paid-after-cancel");
      const how = { method: "check", reference: "No. 7", reason: "broken pot" };
      const id = await shop.refunded(order, { amount: 12, issue_id, ...how });
      expect((await shop.ledgerOf(order)).entries.at(-1)).toMatchObject({
        kind: "refunded",
        amount: 12,
        refund_id: id,
        issue_id,
        ...how,
        by: expect.stringMatching(/./),
      });
    });

    test("is refused if it names an issue of another order", async () => {
      const [order, other] = [await shop.cancelledOrder(), await shop.cancelledOrder()];
      const { id: issue_id } = await shop.issue(other, "paid-after-cancel");
      expect(await shop.refund(order, { amount: 12, issue_id })).toMatchObject({
        status: 422,
        body: { code: "invalid", errors: [{ path: "issue_id" }] },
      });
      expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 0 });
    });

    test("is recorded once if it is sent twice with one key, which no other refund may use", async () => {
      const order = await shop.cancelledOrder();
      const key = randomUUID();
      const both = await Promise.all([
        shop.refund(order, { amount: 5 }, key),
        shop.refund(order, { amount: 5 }, key),
      ]);
      expect(both.map(({ status }) => status)).toEqual([201, 201]);
      expect(new Set(both.map(({ body }) => Reflect.get(Object(body), "id"))).size).toBe(1);
      expect(await shop.refund(order, { amount: 5.01 }, key)).toMatchObject({
        body: { code: "idempotency_conflict" },
      });
      expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 5, refund_due: 7 });
      const elsewhere = await shop.cancelledOrder();
      expect(await shop.refund(elsewhere, { amount: 5 }, key)).toMatchObject({ status: 201 });
    });

    test("is refused if the refunded amount is not the expected one, unless the same key has recorded it", async () => {
      const order = await shop.cancelledOrder();
      const keys = [randomUUID(), randomUUID()];
      const request = { amount: 5, expected_refunded: 0 };
      const both = await Promise.all(keys.map((key) => shop.refund(order, request, key)));
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const recorded = both.findIndex(({ status }) => status === 201);
      expect(await shop.refund(order, request, keys[recorded])).toMatchObject({ status: 201 });
      expect(await shop.refund(order, { amount: 1, expected_refunded: 4 })).toMatchObject({
        status: 409,
        body: { code: "refunds_changed" },
      });
      expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 5, refund_due: 7 });
      expect(await shop.refund(order, { amount: 1, expected_refunded: 5 })).toMatchObject({
        status: 201,
      });
    });

    test("is compared with the expected refunds in its own currency only", async () => {
      const order = await shop.cancelledOrder();
      await shop.report(aPayout(order, { loan_asset: "Eur", loan_amount: "30.00" }));
      const { balance } = await shop.issue(order, "wrong-currency");
      const inEuros = (amount: number, expected_refunded: number) =>
        shop.refund(order, { amount, currency: balance.currency, expected_refunded });
      await shop.refunded(order, { amount: 12 });
      expect(await inEuros(10, 12)).toMatchObject({
        status: 409,
        body: { code: "refunds_changed" },
      });
      expect(await inEuros(10, 0)).toMatchObject({ status: 201 });
      expect(await inEuros(20, 10)).toMatchObject({ status: 201 });
      expect(await shop.ledgerOf(order)).toMatchObject({
        refunded: 12,
        other_currencies: [{ refunded: 30, refund_due: 0 }],
      });
    });

    test("is recorded as often as there is money if it is sent ten times at once", async () => {
      const order = await shop.cancelledOrder();
      const all = await Promise.all(
        Array.from({ length: 10 }, () => shop.refund(order, { amount: 5 })),
      );
      expect(all.filter(({ status }) => status === 201)).toHaveLength(2);
      expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 10, refund_due: 2 });
    });
  });

  describe("a refund that did not arrive", () => {
    test("is reversed: its money is due again, and the issue reopens", async () => {
      const order = await shop.cancelledOrder();
      const id = await shop.refunded(order, { amount: 12 });
      okay(await shop.reverseRefund(order, id, "the account is closed"), 201);
      expect(await shop.ledgerOf(order)).toMatchObject({
        received: 12,
        refunded: 0,
        refund_due: 12,
      });
      expect((await shop.ledgerOf(order)).entries.at(-1)).toMatchObject({
        kind: "refund-reversed",
        amount: 12,
        refund_id: id,
        reason: "the account is closed",
      });
      expect(await shop.openKinds(order)).toEqual(["paid-after-cancel"]);
      await shop.refunded(order, { amount: 12 });
      expect(await shop.openIssues(order)).toEqual([]);
    });

    test("is reversed only once", async () => {
      const order = await shop.cancelledOrder();
      const id = await shop.refunded(order, { amount: 12 });
      const both = await Promise.all([
        shop.reverseRefund(order, id),
        shop.reverseRefund(order, id),
      ]);
      expect(both.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 0, refund_due: 12 });
      expect((await shop.reverseRefund(order, randomUUID())).status).toBe(404);
    });

    test("is emitted to webhooks", async () => {
      await using receiver = await startReceiver();
      okay(await shop.call("POST", "/api/admin/webhooks", { url: receiver.url }), 201);
      const order = await shop.cancelledOrder();
      const id = await shop.refunded(order, { amount: 12 });
      await shop.reverseRefund(order, id);
      await waitFor("the webhooks", () => receiver.typesOf(order.id).length >= 8);
      expect(receiver.typesOf(order.id)).toEqual([
        "order.placed",
        "order.paid",
        "order.cancelled",
        "payment_issue.opened",
        "order.refunded",
        "payment_issue.resolved",
        "order.refund_reversed",
        "payment_issue.opened",
      ]);
      const { id: issue_id } = await shop.issue(order, "paid-after-cancel");
      const last = receiver.received.findLast(({ data }) => data.order_id === order.id);
      expect(last?.data).toMatchObject({ issue_id, kind: "paid-after-cancel" });
    });
  });

  describe("money that was refunded", () => {
    test("allows a delivered order to be erased, which refund due prevents", async () => {
      const order = await shop.paidOrder();
      await shop.report(aPayout(order, { loan_amount: "13.00" }));
      okay(await shop.ship(order));
      const path = `/api/admin/orders/${order.id}/transitions`;
      okay(await shop.call("POST", path, { to: "Delivered" }));
      expect(await shop.erase(order)).toMatchObject({
        status: 409,
        body: { code: "not_erasable", refund_due: 13 },
      });
      await shop.refunded(order, { amount: 13 });
      expect(await shop.erase(order)).toMatchObject({ status: 200 });
    });
  });
});

describe("refunds by two processes on PostgreSQL", () => {
  const shop = useMoneyShop(postgres);

  test("do not exceed what is due", async () => {
    await using other = await startShop({
      config: { database: { kind: "postgres", url: shop.testDatabase.url } },
      between: async () => shop.provider.url,
    });
    const order = await shop.cancelledOrder();
    const processes = [shop, staffOf(other)];
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, at) => processes[at % 2]?.refund(order, { amount: 5 })),
    );
    expect(all.filter((answer) => answer?.status === 201)).toHaveLength(2);
    expect(await shop.ledgerOf(order)).toMatchObject({ refunded: 10, refund_due: 2 });
  });
});
