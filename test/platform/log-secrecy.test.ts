import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isError, isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";

test("no log line or metric contains personal data, a token, a key or a complete order id", async () => {
  await using shop = await startShop();
  const { id, key } = await placeOrder(shop);
  const stranger = await subscribe(shop, id, randomUUID());
  await stranger.until("the refusal", isError("ContractNotFound"));
  const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: id });
  const customer = await subscribe(shop, id, loanId, shop.url, key);
  await customer.until("the payment", isStatus("PaymentProcessed"));
  await Promise.all([stranger.close(), customer.close()]);
  const logs = shop.logs.join("");
  expect(logs).toContain(id.slice(0, 8));
  const metrics = await shop.metrics();
  expect(metrics).toContain("keepsats_order_to_paid_seconds_count");
  for (const secret of [
    id,
    key,
    "Ada",
    "ada@example.org",
    "St James",
    shop.token,
    shop.sandbox.key,
  ]) {
    expect(logs).not.toContain(secret);
    expect(metrics).not.toContain(secret);
  }
  expect(metrics).not.toContain(id.slice(0, 8));
});
