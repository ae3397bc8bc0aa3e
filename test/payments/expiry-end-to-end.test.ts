import { expect, test } from "vitest";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { staffOf } from "../harness/money-staff.ts";
import { startShop } from "../harness/shop.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

/**
 * In milliseconds. A loan of the sandbox is paid out after four steps, so it is in progress when the
 * term ends.
 */
const TERM = 1_800;
const STEP = 600;

const shop = useResource(() =>
  startShop({ step: STEP, mail: true, config: { orderExpiresHours: TERM / HOUR } }),
);

const { orderOf } = staffOf(shop);

test("an unpaid order expires, unless a loan for it is active", async () => {
  const borrowed = await placeOrder(shop);
  const loan = await shop.sandbox.fund({ amount: "45.00", orderId: borrowed.id });
  const subscriber = await subscribe(shop, borrowed.id, loan);
  const left = await placeOrder(shop);
  const page = await subscribe(shop, left.id, undefined, shop.url, left.key);

  await page.until("its end", isStatus("Cancelled"));
  expect(page.messages.at(-1)?.data).toMatchObject({
    merchant_message: expect.stringContaining("not paid"),
  });
  expect((await orderOf(left)).events).toMatchObject([
    { to: "Pending" },
    { to: "Cancelled", by: "shop" },
  ]);
  await waitFor("the email", () =>
    shop.sandbox.emails().some(({ subject }) => subject.includes("is cancelled")),
  );

  await subscriber.until("the payment", isStatus("PaymentProcessed"));
  const [placed, ...moves] = (await orderOf(borrowed)).events;
  expect(moves.map(({ to }) => to)).toEqual(["PaymentProcessing", "PaymentProcessed"]);
  expect((moves.at(-1)?.at ?? 0) - (placed?.at ?? 0)).toBeGreaterThan(TERM / 1_000);

  await shop.sandbox.fund({ amount: "45.00", orderId: left.id });
  await waitFor("the payment issue", async () => (await orderOf(left)).ledger.refund_due === 45);
  expect((await orderOf(left)).status).toBe("Cancelled");
  expect(await shop.metrics()).toMatch(/^keepsats_orders_expired_total 1$/m);
  expect(await shop.metrics()).toMatch(/^keepsats_last_expiry_seconds [0-5]\./m);
  await Promise.all([subscriber.close(), page.close()]);
});

test("no order expires while the provider is unreachable", async () => {
  await shop.sandbox.outage("down");
  const { id } = await placeOrder(shop);
  const seen = async () =>
    Number(/^keepsats_last_complete_sweep_seconds (.*)$/m.exec(await shop.metrics())?.[1]);
  await waitFor(
    "more than the term without a sweep",
    async () => (await seen()) > (TERM + STEP) / 1_000,
  );
  expect((await orderOf({ id })).status).toBe("Pending");
  await shop.sandbox.outage("none");
  await waitFor("its end", async () => (await orderOf({ id })).status === "Cancelled");
});
