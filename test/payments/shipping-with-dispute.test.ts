import { describe, expect, test } from "vitest";
import { sqlite } from "../harness/databases.ts";
import { aPayout, changed } from "../harness/loans.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";

/** How staff say that they ship all the same. */
const despite = { despite_issue: true };

describe.concurrent("shipping", () => {
  const shop = useMoneyShop(sqlite);

  test.each([
    ["a dispute", { status: "DisputeLenderStarted" }, "disputed"],
    ["a payout that was taken back", { status: "Cancelled" }, "changed-after-payout"],
  ])("needs a confirmation while there is %s", async (_, change, kind) => {
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, change));
    expect(await shop.openKinds(order)).toEqual([kind]);
    expect(await shop.ship(order)).toMatchObject({
      status: 409,
      body: { code: "open_issue", payment_issues: [{ kind }] },
    });
    expect(await shop.statusOf(order)).toBe("PaymentProcessed");
    expect(await shop.ship(order, despite)).toMatchObject({ status: 200 });
    expect(await shop.statusOf(order)).toBe("Shipped");
  });

  test("needs no confirmation once the dispute is resolved", async () => {
    const order = await shop.paidOrder();
    await shop.report(changed(order.loan, { status: "DisputeLenderStarted" }));
    okay(await shop.resolve(await shop.issue(order, "disputed"), "dismissed"));
    expect(await shop.ship(order)).toMatchObject({ status: 200 });
  });

  test("needs no confirmation because of refund due", async () => {
    const order = await shop.paidOrder();
    await shop.report(aPayout(order, { loan_amount: "13.00" }));
    expect(await shop.openKinds(order)).toEqual(["duplicate"]);
    expect(await shop.ship(order)).toMatchObject({ status: 200 });
  });
});
