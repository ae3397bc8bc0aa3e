import { describe, expect, test } from "vitest";
import { DAY } from "../../apps/server/src/platform/scheduling/clock.ts";
import { databaseKinds } from "../harness/databases.ts";
import { aPayout, aPayoutWithoutOrder, changed } from "../harness/loans.ts";
import { type MoneyShop, moneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";

describe.concurrent.each(databaseKinds)("the refunds due in the figures on $name", (kind) => {
  const dueIn = async (shop: MoneyShop) => (await shop.today()).refunds_due;

  test("are none in a shop whose orders are paid once", async () => {
    await using shop = await moneyShop(kind);
    await shop.paidOrder();
    expect(await dueIn(shop)).toEqual({ orders: 0, amount: 0 });
  });

  test("include all kinds, in orders and in dollars", async () => {
    await using shop = await moneyShop(kind);
    const [duplicate, overpaid, late, underpaid] = [
      await shop.paidOrder(),
      await shop.order(),
      await shop.order(),
      await shop.order(),
    ];
    await shop.cancel(late);
    await shop.report(
      aPayout(duplicate, { loan_amount: "13.00" }),
      aPayout(overpaid, { loan_amount: "12.40" }),
      aPayout(late),
      // Its order awaits payment: nothing is due yet.
      aPayout(underpaid, { loan_amount: "7.20" }),
    );
    expect(await dueIn(shop)).toEqual({ orders: 3, amount: 25.4 });
    await shop.refunded(duplicate, { amount: 13 });
    expect(await dueIn(shop)).toEqual({ orders: 2, amount: 12.4 });
    await shop.refunded(late, { amount: 2 });
    expect(await dueIn(shop)).toEqual({ orders: 2, amount: 10.4 });
  });

  test("include money without an order", async () => {
    await using shop = await moneyShop(kind);
    const loan = aPayoutWithoutOrder(5);
    await shop.report(loan);
    expect(await dueIn(shop)).toEqual({ orders: 1, amount: 5 });
    okay(await shop.refundFor(await shop.issue(loan, "unknown-order"), { amount: 5 }), 201);
    expect(await dueIn(shop)).toEqual({ orders: 0, amount: 0 });
  });

  test("exclude money that the shop keeps, has lost, or never received", async () => {
    await using shop = await moneyShop(kind);
    const [kept, reversed] = [await shop.paidOrder(), await shop.paidOrder()];
    await shop.report(
      aPayout(kept, { loan_amount: "13.00" }),
      changed(reversed.loan, { status: "Cancelled" }),
    );
    okay(await shop.resolve(await shop.issue(kept, "duplicate"), "accepted"));
    await shop.cancel(reversed);
    expect(await dueIn(shop)).toEqual({ orders: 0, amount: 0 });
  });
});

describe.concurrent.each(databaseKinds)("the figures of a day on $name", (kind) => {
  /** The figures of the last two days, the earlier one first. */
  async function lastTwoDays(shop: MoneyShop) {
    return (await shop.today()).days.slice(-2);
  }

  test("include the money that was paid out on that day, whenever its order was placed", async () => {
    await using shop = await moneyShop(kind);
    const order = await shop.order();
    const yesterday = new Date(Date.now() - DAY).toISOString();
    await shop.report(aPayout(order, { updated_at: yesterday }));
    expect(await lastTwoDays(shop)).toMatchObject([
      { placed: 0, paid_amount: 12 },
      { placed: 1, paid_amount: 0 },
    ]);
  });

  test("exclude money that was refunded on that day", async () => {
    await using shop = await moneyShop(kind);
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    await shop.refunded(order, { amount: 1 });
    expect((await lastTwoDays(shop)).at(-1)).toMatchObject({ paid_amount: 12 });
  });

  test("have the amount received for an order that was accepted with less", async () => {
    await using shop = await moneyShop(kind);
    const order = await shop.order();
    await shop.report(aPayout(order, { loan_amount: "7.20" }));
    okay(await shop.resolve(await shop.issue(order, "underpaid"), "accepted"));
    expect((await lastTwoDays(shop)).at(-1)).toMatchObject({ placed: 1, paid_amount: 7.2 });
  });

  test("count an extended loan once", async () => {
    await using shop = await moneyShop(kind);
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, { status: "Extended" }), aPayout(order));
    expect((await lastTwoDays(shop)).at(-1)).toMatchObject({ paid_amount: 12 });
  });
});
