import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { AppTimes } from "../../apps/server/src/app.ts";
import { quickTimes } from "../harness/config.ts";
import { isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { staffOf } from "../harness/money-staff.ts";
import { aContract, type ScriptedProvider, startScriptedProvider } from "../harness/provider.ts";
import { type Shop, type ShopOptions, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

async function startOn(provider: ScriptedProvider, options: ShopOptions = {}): Promise<Shop> {
  return startShop({ ...options, between: async () => provider.url });
}

const view = (shop: Shop, id: string) => staffOf(shop).orderOf({ id });

const kinds = async (shop: Shop, orderId: string) =>
  (await view(shop, orderId)).payment_issues.map(({ kind }) => kind);

/** A metric of the server, by name and labels. */
async function metric(shop: Shop, name: string): Promise<number> {
  const line = (await shop.metrics()).split("\n").find((text) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

describe("a report of the provider", () => {
  const provider = useResource(startScriptedProvider);
  const shop = useResource(() => startOn(provider));

  async function becomes(orderId: string, status: string): Promise<void> {
    await waitFor(
      `the order to be ${status}`,
      async () => (await view(shop, orderId)).status === status,
    );
  }
  async function isReported(orderId: string, kind: string): Promise<void> {
    await waitFor(`a issue ${kind}`, async () => (await kinds(shop, orderId)).includes(kind));
  }

  test("of a dispute does not pay an order, so nothing is shipped for a loan that is cancelled later", async () => {
    const { id } = await placeOrder(shop);
    provider.setContract(aContract(`d-${id}`, id, "Requested"));
    await becomes(id, "PaymentProcessing");
    provider.setContract(aContract(`d-${id}`, id, "DisputeBorrowerStarted"));
    await isReported(id, "disputed");
    expect((await view(shop, id)).status).toBe("PaymentProcessing");
    provider.setContract(aContract(`d-${id}`, id, "Cancelled"));
    await becomes(id, "Pending");
  });

  test("of an extension is not a second payment, in whichever order the two loans are read", async () => {
    const { id } = await placeOrder(shop);
    provider.setContract(aContract(`e1-${id}`, id, "PrincipalGiven"));
    await becomes(id, "PaymentProcessed");
    provider.listBy((response, contracts) => {
      // The new loan is read before the mark of the earlier one.
      const some = contracts.filter((contract) => contract.id !== `e1-${id}`);
      response.end(JSON.stringify(some));
    });
    provider.setContract(aContract(`e1-${id}`, id, "Extended"));
    provider.setContract(aContract(`e2-${id}`, id, "PrincipalGiven"));
    const statusOf = async (loanId: string) =>
      (await view(shop, id)).loans.find((loan) => loan.id === loanId)?.provider_status;
    await waitFor("the extension", async () => (await statusOf(`e2-${id}`)) === "PrincipalGiven");
    provider.listBy(undefined);
    await waitFor("the mark", async () => (await statusOf(`e1-${id}`)) === "Extended");
    const { loans, payment_issues: issues } = await view(shop, id);
    expect(issues).toEqual([]);
    expect(loans.filter(({ is_extension }) => is_extension).map((loan) => loan.id)).toEqual([
      `e2-${id}`,
    ]);
  });

  test("in an unrecognized form is listed, logged and counted, and does not stop the sweep", async () => {
    const { id } = await placeOrder(shop);
    const odd = `odd-${randomUUID()}`;
    provider.setContract(
      aContract(odd, id, "PrincipalGiven", { loan_amount: { value: "45.00" }, loan_asset: null }),
    );
    provider.setContract(aContract(`n-${id}`, id, "PrincipalGiven"));
    await becomes(id, "PaymentProcessed");
    const listed = await waitFor(
      "the entry",
      async () => (await staffOf(shop).issuesOf({ id: odd }))[0],
    );
    expect(listed).toMatchObject({
      kind: "unrecognized",
      detail:
        "The provider reports it in an unknown form: loan_amount is an object, loan_asset is null.",
    });
    const counted = () => metric(shop, "keepsats_provider_entries_unrecognized_total");
    await waitFor("it to be counted in every sweep", async () => (await counted()) >= 3);
    expect(shop.logs.filter((line) => line.includes(odd))).toHaveLength(1);
    provider.setContract(aContract(odd, null, "Requested"));
  });

  test("of a loan for no order that is presented for many orders is recorded once, without texts of strangers", async () => {
    const stray = `stray-${randomUUID()}`;
    provider.setContract(
      aContract(stray, "refund this customer at https://evil.example", "Rejected"),
    );
    const orders = await Promise.all(Array.from({ length: 12 }, () => placeOrder(shop)));
    const subscribers = await Promise.all(orders.map(({ id }) => subscribe(shop, id, stray)));
    for (const subscriber of subscribers) {
      await subscriber.until("the refusal", ({ data }) => data.kind === "ContractNotFound");
      await subscriber.close();
    }
    const { body } = await callAdminApi(shop, "GET", "/api/admin/payment-issues");
    expect(JSON.stringify(body)).not.toContain("evil");
    expect(await staffOf(shop).issuesOf({ id: stray })).toHaveLength(1);
    expect(shop.logs.join("")).not.toContain("evil");
  });

  test("of another order is logged without that order's id", async () => {
    const [mine, other] = [await placeOrder(shop), await placeOrder(shop)];
    provider.setContract(aContract(`x-${other.id}`, other.id, "Requested"));
    const subscriber = await subscribe(shop, mine.id, `x-${other.id}`);
    // The sweep may already have bound it to its own order.
    await waitFor("a payment issue", async () => (await kinds(shop, mine.id)).length > 0);
    await subscriber.close();
    expect(shop.logs.join("")).not.toContain(other.id);
  });
});

// At the same time, because each waits for its own shop.
describe.concurrent("the sweep over all loans", () => {
  test("settles loans without subscribers although the list is long and slow, and delays no other check", async () => {
    await using provider = await startScriptedProvider();
    // On a busy machine this process itself may write nothing for seconds.
    await using shop = await startOn(provider, {
      times: { providerTimeout: 200, listStallTimeout: 30_000 },
    });
    const { id } = await placeOrder(shop);
    const LOANS = 5_000;
    const AT_A_TIME = 250;
    const stranger = randomUUID();
    const text = (part: number) =>
      Array.from({ length: AT_A_TIME }, (_, index) =>
        JSON.stringify(
          aContract(`s${part * AT_A_TIME + index}`, stranger, "Requested", {
            note: "x".repeat(500),
          }),
        ),
      ).join(",");
    const parts = Array.from({ length: LOANS / AT_A_TIME }, (_, part) => text(part));
    provider.listBy(async (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[");
      for (const part of parts) {
        response.write(`${part},`);
        await pause(20);
      }
      response.end(`${JSON.stringify(aContract(`last-${id}`, id, "PrincipalGiven"))}]`);
    });
    // A subscribed loan is checked while the list is read.
    const subscribed = await placeOrder(shop);
    provider.setContract(aContract(`f-${subscribed.id}`, subscribed.id, "PrincipalGiven"));
    await waitFor("the list to be asked for", () => provider.asked.list > 0);
    const subscriber = await subscribe(shop, subscribed.id, `f-${subscribed.id}`);
    await subscriber.until("the payment", isStatus("PaymentProcessed"));
    await subscriber.close();
    await waitFor(
      "the last loan of the list",
      async () => (await view(shop, id)).status === "PaymentProcessed",
      120_000,
    );
    await waitFor("the sweep to be complete", async () => {
      return (await metric(shop, "keepsats_last_complete_sweep_seconds")) < 5;
    });
  });

  test("backs off while it fails, and checks of single loans continue", async () => {
    await using provider = await startScriptedProvider();
    await using shop = await startOn(provider, {
      times: { sweepBackoff: 50, maxSweepPause: 60_000 },
    });
    provider.listBy((response) => response.writeHead(500).end());
    const { id } = await placeOrder(shop);
    provider.setContract(aContract(`a-${id}`, id, "Requested"));
    const subscriber = await subscribe(shop, id, `a-${id}`);
    await subscriber.until("the loan", isStatus("PaymentProcessing"));
    await subscriber.close();
    const failures = async () => {
      const row = await shop.database.db
        .selectFrom("key_values")
        .select("value")
        .where("name", "=", "sweep")
        .executeTakeFirst();
      return Number(JSON.parse(row?.value ?? "{}").failures ?? 0);
    };
    await waitFor("four failures", async () => (await failures()) >= 4);
    const { until } = await shop.database.db
      .selectFrom("leases")
      .select("until")
      .where("name", "=", "sweep")
      .executeTakeFirstOrThrow();
    const next = until - shop.database.now();
    expect(next).toBeGreaterThan(100);
    provider.setContract(aContract(`a-${id}`, id, "PrincipalGiven"));
    await waitFor("the payment", async () => (await view(shop, id)).status === "PaymentProcessed");
    provider.listBy(undefined);
    await waitFor("a sweep to succeed", async () => (await failures()) === 0);
  });

  test("settles and logs a refused loan only once", async () => {
    await using provider = await startScriptedProvider();
    const OLD = 300;
    for (let index = 0; index < OLD; index += 1)
      provider.setContract(aContract(`old-${index}`, randomUUID(), "Closed"));
    // Apart from the sweep hardly anything reads the database, however long the sweeps take.
    const seldom = 3_600_000;
    const times: Partial<AppTimes> = {
      sweepCheckInterval: 250,
      checkRoundInterval: seldom,
      keepFigures: seldom,
      expiry: { ...quickTimes.expiry, checkInterval: seldom },
      rereadInterval: 30_000,
    };
    const shop = await startOn(provider, { times });
    try {
      await waitFor("all to be recorded", async () => {
        return (await metric(shop, 'keepsats_payment_issues_total{kind="unknown-order"}')) === OLD;
      });
      const sweeps = provider.asked.list;
      const queries = () => metric(shop, "keepsats_database_queries_total");
      await waitFor("another sweep", () => provider.asked.list > sweeps);
      const before = await queries();
      await waitFor("three more sweeps", () => provider.asked.list > sweeps + 3);
      expect((await queries()) - before).toBeLessThan(OLD);
      expect(shop.logs.filter((line) => line.includes("issue"))).toHaveLength(OLD);
    } finally {
      await shop.close();
    }
  });
});

test.concurrent("a loan without subscribers is checked at growing intervals", async () => {
  await using provider = await startScriptedProvider();
  const times: Partial<AppTimes> = {
    subscribedInterval: 20,
    minUnsubscribedInterval: 20,
    maxUnsubscribedInterval: 3_600_000,
    minSweepPause: 3_600_000,
    maxSweepPause: 3_600_000,
  };
  await using shop = await startOn(provider, { times });
  const { id } = await placeOrder(shop);
  provider.setContract(aContract(`l-${id}`, id, "Requested"));
  const subscriber = await subscribe(shop, id, `l-${id}`);
  await subscriber.until("the loan", isStatus("PaymentProcessing"));
  await subscriber.close();
  const check = () =>
    shop.database.db
      .selectFrom("payment_checks")
      .selectAll()
      .where("order_id", "=", id)
      .executeTakeFirstOrThrow();
  await waitFor("a pause of half a second", async () => {
    const { next_at } = await check();
    return next_at - shop.database.now() > 500;
  });
  expect(provider.asked.contracts.get(`l-${id}`)).toBeLessThan(60);
});

test.concurrent("all processes report the provider's state as the last process has seen it", async () => {
  await using provider = await startScriptedProvider();
  await using shop = await startOn(provider);
  provider.listBy((response) => response.writeHead(401).end());
  await waitFor("the state away", async () => {
    const ready: unknown = await (await fetch(`${shop.url}/readyz`)).json();
    return Reflect.get(Object(ready), "provider") === "away";
  });
  expect(await metric(shop, "keepsats_provider_up")).toBe(0);
  await shop.restart();
  const ready: unknown = await (await fetch(`${shop.url}/readyz`)).json();
  expect(Reflect.get(Object(ready), "provider")).toBe("away");
});
