import { afterAll, beforeAll, expect, test } from "vitest";
import { isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { staffOf } from "../harness/money-staff.ts";
import { startShop } from "../harness/shop.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";
import { pagedApi } from "./provider/paged-api/script.ts";
import {
  ACCOUNT,
  KEY,
  type SaidLoan,
  type ScriptedServer,
  startScripted,
} from "./provider/script.ts";

let provider: ScriptedServer;
beforeAll(async () => {
  provider = await startScripted(pagedApi);
});
afterAll(() => provider.close());
const shop = useResource(() =>
  startShop({
    connectProvider: pagedApi.connect,
    config: { loanApiKey: KEY },
    between: async () => provider.url,
  }),
);
const { orderOf } = staffOf(shop);

function say(
  id: string,
  order: string,
  state: SaidLoan["state"],
  changes: Partial<SaidLoan> = {},
): void {
  provider.say({
    id,
    order,
    state,
    cents: 4_500,
    asset: "dollars",
    changedAt: new Date(0),
    ...changes,
  });
}

test("a shop on another provider has that provider's account", async () => {
  const me: unknown = await (await fetch(`${shop.url}/api/me`)).json();
  expect(me).toEqual({ id: ACCOUNT });
});

test("a customer subscribes to an order that a loan of another provider pays", async () => {
  const { id } = await placeOrder(shop);
  say(`f-${id}`, id, "asked for");
  const subscriber = await subscribe(shop, id, `f-${id}`);
  await subscriber.until("the loan", isStatus("PaymentProcessing"));
  say(`f-${id}`, id, "paid out");
  await subscriber.until("the payment", isStatus("PaymentProcessed"));
  await subscriber.close();
  // A sweep that has read the list before the payment may show its word until the next one.
  await waitFor(
    "the provider's last word",
    async () => (await orderOf({ id })).loans[0]?.provider_status === "FUNDED",
  );
  expect((await orderOf({ id })).loans).toMatchObject([
    {
      id: `f-${id}`,
      provider_status: "FUNDED",
      state: "paid-out",
      amount: 45,
      is_extension: false,
    },
  ]);
});

test("the sweep reads all pages of another provider, and an extension is not a second payment", async () => {
  for (let index = 0; index < 60; index += 1) say(`old-${index}`, "of another shop", "asked for");
  const { id } = await placeOrder(shop);
  say(`s-${id}`, id, "paid out");
  await waitFor("the payment", async () => (await orderOf({ id })).status === "PaymentProcessed");
  say(`s-${id}`, id, "extended");
  say(`t-${id}`, id, "paid out");
  await waitFor("the extension", async () => (await orderOf({ id })).loans.length === 2);
  const { loans, payment_issues: issues } = await orderOf({ id });
  expect(loans.find((loan) => loan.id === `t-${id}`)?.is_extension).toBe(true);
  expect(issues).toEqual([]);
});

test("staff see mismatched money with the other provider's status", async () => {
  const { id } = await placeOrder(shop);
  say(`e-${id}`, id, "paid out", { asset: "euros" });
  say(`d-${id}`, id, "in dispute");
  await waitFor(
    "both payment issues",
    async () => (await orderOf({ id })).payment_issues.length === 2,
  );
  const { status, payment_issues: issues } = await orderOf({ id });
  expect(status).toBe("Pending");
  expect(issues.map(({ kind, detail }) => `${kind}: ${detail}`).sort()).toEqual([
    "disputed: The provider has a dispute about it (CONTESTED), which proves no payment.",
    "wrong-currency: It lends EUR, which does not count as a dollar here. It was paid out.",
  ]);
});
