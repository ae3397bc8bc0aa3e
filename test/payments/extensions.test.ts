import { describe, expect, test } from "vitest";
import { MINUTE } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { waitFor } from "../harness/wait-for.ts";

describe.concurrent.each(databaseKinds)("an extension on $name", (kind) => {
  const shop = useMoneyShop(kind);
  const paidOnce = { received: 12, kept: 12, refund_due: 0, refundable: 0, missing: 0 };

  test("opens no refund, although the provider marks the first loan seconds after it has stored the extension", async () => {
    const order = await shop.paidOrder();
    const extension = aPayout(order);
    await shop.report(extension);
    expect(await shop.ledgerOf(order)).toMatchObject(paidOnce);
    expect(await shop.openIssues(order)).toEqual([]);
    await shop.report(changed(order.loan, { status: "Extended" }));
    await shop.swept(3);
    expect(await shop.ledgerOf(order)).toMatchObject(paidOnce);
    expect(await shop.issuesOf(order)).toEqual([]);
    expect(await shop.refund(order, { amount: 12 })).toMatchObject({
      status: 409,
      body: { code: "more_than_refundable" },
    });
  });

  test("of a cancelled order that is reported before its loan is refunded once", async () => {
    const order = await shop.order();
    await shop.cancel(order);
    const [first, extension] = [aPayout(order, { status: "Extended" }), aPayout(order)];
    await shop.report(extension);
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 12, refund_due: 12 });
    await shop.report(first);
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 12, refund_due: 12 });
    await shop.refunded(order, { amount: 12 });
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 12, refund_due: 0, refunded: 12 });
    expect(await shop.openIssues(order)).toEqual([]);
  });

  test("of an order that is cancelled between the two loans leaves one issue, with the money once", async () => {
    const order = await shop.order();
    const [first, extension] = [aPayout(order, { status: "Extended" }), aPayout(order)];
    await shop.report(extension);
    await shop.cancel(order);
    expect(await shop.openKinds(order)).toEqual(["paid-after-cancel"]);
    await shop.report(first);
    expect(await shop.openKinds(order)).toEqual(["paid-after-cancel"]);
    await shop.refunded(order, { amount: 12 });
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 12, refund_due: 0, refunded: 12 });
    expect(await shop.openIssues(order)).toEqual([]);
  });

  test("of an overpaid order leaves the excess to be refunded, once", async () => {
    const order = await shop.order();
    const lent = { loan_amount: "13.00" };
    await shop.report(aPayout(order, lent));
    await shop.report(aPayout(order, { ...lent, status: "Extended" }));
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 13, refund_due: 1 });
    expect(await shop.openKinds(order)).toEqual(["overpaid"]);
    await shop.refunded(order, { amount: 1 });
    expect(await shop.ledgerOf(order)).toMatchObject({ received: 13, refund_due: 0, refunded: 1 });
    expect(await shop.openIssues(order)).toEqual([]);
  });

  test.each([
    ["lends too little", { loan_amount: "7.20" }],
    ["lends another currency", { loan_asset: "Eur" }],
  ])("of a loan that %s brings no money either", async (_, lent) => {
    const order = await shop.order();
    const loan = aPayout(order, lent);
    await shop.report(loan);
    const received = async () => {
      const { received: dollars, other_currencies } = await shop.ledgerOf(order);
      return [dollars, ...other_currencies.map((other) => other.received)];
    };
    const before = await received();
    await shop.report(changed(loan, { status: "Extended" }), aPayout(order, lent));
    expect(await received()).toEqual(before);
    expect(await shop.openIssues(order)).toHaveLength(1);
  });
});

describe.each(databaseKinds)("a payout that may be an extension on $name", (kind) => {
  const shop = useMoneyShop(kind);

  test("is a duplicate only when a sweep has been completed, however much time passes", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order));
    shop.provider.listBy((response) => response.writeHead(500).end());
    shop.passTime(2 * MINUTE);
    const failed = shop.provider.asked.list;
    await waitFor("sweeps to fail", () => shop.provider.asked.list > failed + 1);
    expect(await shop.openIssues(order)).toEqual([]);
    shop.provider.listBy(undefined);
    await waitFor("the duplicate", async () => (await shop.openIssues(order)).length > 0);
  });
});
