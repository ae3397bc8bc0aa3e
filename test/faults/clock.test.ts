import { expect, test } from "vitest";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";

// At the same time, because each waits for its own shop.
test.concurrent.each([
  ["a day ahead", 24 * HOUR],
  ["an hour back", -HOUR],
  ["ten years back", -10 * 365 * 24 * HOUR],
  ["a month ahead", 30 * 24 * HOUR],
])(
  "a clock that jumps %s delays neither orders nor payments, with subscribers or without",
  async (_, jump) => {
    let offset = 0;
    await using shop = await startShop({ now: () => Date.now() + offset });
    const [subscribed, left] = [await placeOrder(shop), await placeOrder(shop)];
    const subscriber = await subscribe(
      shop,
      subscribed.id,
      await shop.sandbox.fund({ amount: "45.00", orderId: subscribed.id }),
    );
    await subscriber.until("the first sight of the loan", ({ type }) => type === "order");
    offset = jump;
    await shop.sandbox.fund({ amount: "45.00", orderId: left.id });
    await subscriber.until("the payment", isStatus("PaymentProcessed"));
    const later = await placeOrder(shop);
    const seen = await subscribe(
      shop,
      later.id,
      await shop.sandbox.fund({ amount: "45.00", orderId: later.id }),
    );
    await seen.until("the payment", isStatus("PaymentProcessed"));
    const unseen = await subscribe(shop, left.id, "unknown");
    await unseen.close();
    await expect
      .poll(async () => (await callAdminApi(shop, "GET", `/api/admin/orders/${left.id}`)).body, {
        timeout: 15_000,
      })
      .toMatchObject({ status: "PaymentProcessed" });
    await seen.close();
    await subscriber.close();
    expect(shop.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);

test("after the clock was set back by nine minutes, no earlier lease delays a check of a loan", async () => {
  await using shop = await startShop({ step: 1_000 });
  const [subscribed, left] = [await placeOrder(shop), await placeOrder(shop)];
  const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: subscribed.id });
  const early = await subscribe(shop, subscribed.id, loanId);
  await early.until("the loan", isStatus("PaymentProcessing"));
  await early.close();
  const ahead = shop.database.now() + 9 * 60_000;
  const held = { leased_until: ahead, not_before: ahead, next_at: ahead };
  await shop.database.db.updateTable("payment_checks").set(held).execute();
  await shop.database.db.updateTable("leases").set({ until: ahead }).execute();
  const again = await subscribe(shop, subscribed.id, loanId);
  await again.until("the payment", isStatus("PaymentProcessed"));
  await again.close();
  await shop.sandbox.fund({ amount: "45.00", orderId: left.id });
  await waitFor("the sweep", async () => {
    const { body } = await callAdminApi(shop, "GET", `/api/admin/orders/${left.id}`);
    return Reflect.get(Object(body), "status") === "PaymentProcessed";
  });
});
