import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isStatus, placeOrder, subscribe, type TestSubscriber } from "../harness/customer.ts";
import { type Fault, type FaultProxy, startFaultProxy } from "../harness/network.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { testLength } from "../harness/test-length.ts";
import { waitFor } from "../harness/wait-for.ts";

let shop: Shop;
let proxy: FaultProxy;
beforeAll(async () => {
  shop = await startShop({
    async between(sandboxUrl) {
      proxy = await startFaultProxy(sandboxUrl);
      return proxy.url;
    },
    times: { providerTimeout: 300 },
  });
});
afterAll(async () => {
  await shop.close();
  await proxy.close();
});

const ROUNDS = testLength(3, 60);
/** The duration of each fault, in milliseconds. */
const LASTS = 600;
const faults: Fault[] = ["cut", "slow", "garbled", "stalled"];
const outages = ["down", "error", "html", "busy"];

test("orders are accepted while the provider fails in any way, and every loan is found afterwards", async () => {
  const subscribers: TestSubscriber[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, fault] of faults.entries()) {
      proxy.set(fault);
      await shop.sandbox.outage(outages[(round + index) % outages.length] ?? "none");
      const order = await placeOrder(shop);
      const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: order.id });
      subscribers.push(await subscribe(shop, order.id, loanId));
      await placeOrder(shop);
      await pause(LASTS * Math.random());
    }
    proxy.set("none");
    await shop.sandbox.outage("none");
    await pause(LASTS * Math.random());
  }
  for (const subscriber of subscribers) {
    await waitFor(
      `the payment; so far ${JSON.stringify(subscriber.statuses())}`,
      () => subscriber.messages.some(isStatus("PaymentProcessed")),
      60_000,
    );
    const seen = subscriber.statuses();
    expect(seen).toEqual([...new Set(seen)]);
    expect(subscriber.messages.filter(({ data }) => data.kind === "ContractNotFound")).toEqual([]);
    await subscriber.close();
  }
  const { body } = await callAdminApi(shop, "GET", "/api/admin/payment-issues");
  expect(body).toEqual({ payment_issues: [], next_cursor: null });
  expect(shop.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});
