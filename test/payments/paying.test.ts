import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { isError, isStatus, placeOrder, subscribe } from "../harness/customer.ts";
import { okay, staffOf } from "../harness/money-staff.ts";
import { startShop } from "../harness/shop.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop());
beforeEach(() => shop.sandbox.outage("none"));

const staff = staffOf(shop);

// No request of these tests may cause an error of the server.
afterAll(() => {
  expect(shop.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});

// At the same time, because each waits for its own shop.
describe.concurrent("in a shop of its own", () => {
  test("a successful loan moves the order to PaymentProcessed, and staff then move it to Delivered", async () => {
    await using slow = await startShop({ step: 1_000 });
    const { id, key } = await placeOrder(slow);
    const loanId = await slow.sandbox.fund({ amount: "45.00", orderId: id });
    const subscriber = await subscribe(slow, id, loanId, slow.url, key);
    await subscriber.until("the payment", isStatus("PaymentProcessed"));
    const slowStaff = staffOf(slow);
    okay(await slowStaff.ship({ id }));
    okay(await slowStaff.deliver({ id }));
    await subscriber.until("the delivery", isStatus("Delivered"));
    await subscriber.close();

    // A holder of the key receives the order at once, perhaps before the shop has seen the loan.
    const [first, ...later] = subscriber.statuses();
    expect(first === "Pending" ? later : [first, ...later]).toEqual([
      "PaymentProcessing",
      "PaymentProcessed",
      "Shipped",
      "Delivered",
    ]);
    expect(subscriber.messages[0]?.data).toMatchObject({
      items: [{ id: "moka-pot", name: "Moka Pot", price: 45, quantity: 1 }],
      total_price: 45,
      customer_name: "Ada Lovelace",
      customer_email: "ada@example.org",
      shipping_address: { street: "12 St James's Square", country: "United Kingdom" },
      billing_address: { city: "London" },
    });
    expect(
      Math.abs((subscriber.messages[0]?.data.created_at ?? 0) - Date.now() / 1000),
    ).toBeLessThan(60);
    expect(
      (await slowStaff.orderOf({ id })).events.map(({ from, to, by }) => [from, to, by]),
    ).toEqual([
      [null, "Pending", "customer"],
      ["Pending", "PaymentProcessing", "provider"],
      ["PaymentProcessing", "PaymentProcessed", "provider"],
      ["PaymentProcessed", "Shipped", "staff"],
      ["Shipped", "Delivered", "staff"],
    ]);
  });

  test("a loan is still checked after its customer has disconnected, and after a restart", async () => {
    await using slow = await startShop({ step: 1_500, times: { minSweepPause: 3_600_000 } });
    const { id } = await placeOrder(slow);
    const loanId = await slow.sandbox.fund({ amount: "45.00", orderId: id });
    const subscriber = await subscribe(slow, id, loanId);
    await subscriber.until("the first status", isStatus("PaymentProcessing"));
    await subscriber.close();
    await slow.restart();
    await waitFor(
      "the payment",
      async () => (await staffOf(slow).statusOf({ id })) === "PaymentProcessed",
    );
  });

  test.each([
    ["by their checks", 20, 3_600_000],
    ["by the sweep", 200, 500],
  ])(
    "more customers than the call budget can check at a time see their orders paid, %s",
    async (_, count, sweep) => {
      await using launch = await startShop({
        step: 300,
        times: { subscribedInterval: 200, minSweepPause: sweep },
      });
      const funded = Array.from({ length: count }, async () => {
        const { id } = await placeOrder(launch);
        return { id, loanId: await launch.sandbox.fund({ amount: "45.00", orderId: id }) };
      });
      const subscribers = await Promise.all(
        (await Promise.all(funded)).map(({ id, loanId }) => subscribe(launch, id, loanId)),
      );
      for (const subscriber of subscribers) {
        await subscriber.until("the payment", isStatus("PaymentProcessed"));
        await subscriber.close();
      }
    },
  );

  test("in an outage of the provider a subscriber gets the known order and the error, then the changes", async () => {
    await using slow = await startShop({ step: 1_500 });
    const { id } = await placeOrder(slow);
    const loanId = await slow.sandbox.fund({ amount: "45.00", orderId: id });
    const early = await subscribe(slow, id, loanId);
    await early.until("the first status", isStatus("PaymentProcessing"));
    await slow.sandbox.outage("down");
    await early.until("the error", isError("ConnectionError"));
    const late = await subscribe(slow, id, loanId);
    await late.until("the last known order", isStatus("PaymentProcessing"));
    await late.until("the error", isError("ConnectionError"));
    await slow.sandbox.outage("none");
    await early.until("the payment", isStatus("PaymentProcessed"));
    await late.until("the payment", isStatus("PaymentProcessed"));
    await Promise.all([early.close(), late.close()]);
  });

  test("a slow provider does not slow down selling", async () => {
    await using slowProvider = await startShop({ times: { providerTimeout: 600_000 } });
    await slowProvider.sandbox.outage("slow");
    const { id } = await placeOrder(slowProvider);
    const subscriber = await subscribe(slowProvider, id, randomUUID());
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${slowProvider.url}/api/items`)),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    await placeOrder(slowProvider);
    expect(subscriber.messages.filter(({ type }) => type === "order")).toEqual([]);
    await subscriber.close();
  });

  test("GET /api/me is 503 until the account was read once, and cached from then on", async () => {
    await using fresh = await startShop();
    await fresh.sandbox.outage("down");
    const response = await fetch(`${fresh.url}/api/me`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("2");
    await fresh.sandbox.outage("none");
    await waitFor("the account", async () => (await fetch(`${fresh.url}/api/me`)).status === 200);
    await fresh.sandbox.outage("down");
    expect((await fetch(`${fresh.url}/api/me`)).status).toBe(200);
  });

  test("an outage of the provider is logged once at its start and once at its end", async () => {
    await using fresh = await startShop({ times: { providerTimeout: 10_000 } });
    await fresh.sandbox.outage("error");
    const lines = (text: string) => fresh.logs.filter((line) => line.includes(text));
    await waitFor(
      "the warning",
      () => lines("gives no usable answer").length === 1 && lines("HTTP 500").length === 1,
    );
    await fresh.sandbox.outage("none");
    await waitFor("the good news", () => lines("answers again").length === 1);
  });

  test("a flood of requests for the account does not keep orders from being paid", async () => {
    await using fresh = await startShop();
    await fresh.sandbox.outage("error");
    await fetch(`${fresh.url}/api/me`);
    await fresh.sandbox.outage("none");
    const { id } = await placeOrder(fresh);
    await fresh.sandbox.fund({ amount: "45.00", orderId: id });
    let asking = true;
    const request = (async () => {
      while (asking) await fetch(`${fresh.url}/api/me`);
    })();
    await waitFor(
      "the payment",
      async () => (await staffOf(fresh).statusOf({ id })) === "PaymentProcessed",
    );
    asking = false;
    await request;
  });
});

describe("a successful loan", () => {
  test("pays the order of a customer who has closed the browser", async () => {
    const { id } = await placeOrder(shop);
    await shop.sandbox.fund({ amount: "45.00", orderId: id });
    await waitFor(
      "the sweep to settle it",
      async () => (await staff.statusOf({ id })) === "PaymentProcessed",
    );
  });
});

describe("a failed loan", () => {
  test.each([
    ["reject", "Rejected"],
    ["expire", "ApprovalExpired"],
  ])(
    "of the kind %s returns the order to Pending, and another loan can pay it",
    async (dial, status) => {
      const { id } = await placeOrder(shop);
      const first = await shop.sandbox.fund({ amount: "45.00", orderId: id, dial });
      const subscriber = await subscribe(shop, id, first);
      await subscriber.until(
        "the end of the attempt",
        ({ data }) => data.status === "Pending" && data.payment_attempt_failed === true,
      );
      expect((await staff.orderOf({ id })).loans).toMatchObject([
        { id: first, provider_status: status, state: "ended" },
      ]);

      const second = await shop.sandbox.fund({ amount: "45.00", orderId: id });
      const again = await subscribe(shop, id, second);
      await again.until("the payment", isStatus("PaymentProcessed"));
      await subscriber.until("the same for the first subscriber", isStatus("PaymentProcessed"));
      await again.close();
      await subscriber.close();
      expect(await staff.issuesOf({ id })).toEqual([]);
    },
  );
});

describe("a loan that does not pay the order", () => {
  test.each([
    ["is underpaid", "wrong-amount", "underpaid"],
    ["names another order", "wrong-order", "unknown-order"],
  ])("opens a payment issue and shows nothing of the order if it %s", async (_, dial, kind) => {
    const { id } = await placeOrder(shop);
    const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: id, dial });
    const subscriber = await subscribe(shop, id, loanId);
    await subscriber.until("the refusal", isError("ContractNotFound"));
    await subscriber.close();
    expect(subscriber.messages.filter(({ type }) => type === "order")).toEqual([]);
    expect(await staff.issuesOf({ id })).toMatchObject([{ kind, loan_id: loanId }]);
    expect(await staff.statusOf({ id })).toBe("Pending");
  });

  test("cannot pay a second order after it has paid one", async () => {
    const one = await placeOrder(shop);
    const other = await placeOrder(shop);
    const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: one.id });
    const owner = await subscribe(shop, one.id, loanId);
    await owner.until("the payment", isStatus("PaymentProcessed"));
    const thief = await subscribe(shop, other.id, loanId);
    await thief.until("the refusal", isError("ContractNotFound"));
    await Promise.all([owner.close(), thief.close()]);
    expect(thief.messages.filter(({ type }) => type === "order")).toEqual([]);
    expect(await staff.orderOf(other)).toMatchObject({ status: "Pending", loans: [] });
    expect(await staff.issuesOf(other)).toMatchObject([{ kind: "unknown-order" }]);
  });

  test.each([
    ["invented", randomUUID()],
    ["a path", "../users/me"],
  ])("is ContractNotFound if its id is %s", async (_, loanId) => {
    const { id } = await placeOrder(shop);
    const guesser = await subscribe(shop, id, loanId);
    await guesser.until("the refusal", isError("ContractNotFound"));
    await guesser.close();
  });

  test.each([
    ["does not exist", randomUUID(), randomUUID()],
    ["cannot exist", "' OR 1=1 --", "x"],
  ])("is OrderNotFound if the order %s", async (_, orderId, loanId) => {
    const lost = await subscribe(shop, orderId, loanId);
    await lost.until("the refusal", isError("OrderNotFound"));
    await lost.close();
  });
});

describe("a provider that cannot be reached", () => {
  test.each(["down", "error", "html", "slow"])(
    "(failure: %s) sends an unverified subscriber only ConnectionError, and the order after the recovery",
    async (kind) => {
      const { id } = await placeOrder(shop);
      await shop.sandbox.outage(kind); // Before there is a loan, because a sweep could find it.
      const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: id });
      const subscriber = await subscribe(shop, id, loanId);
      await subscriber.until("the error", isError("ConnectionError"));
      expect(subscriber.messages.every(({ type }) => type === "error")).toBe(true);
      await shop.sandbox.outage("none");
      await subscriber.until("the payment", isStatus("PaymentProcessed"));
      await subscriber.close();
    },
  );
});

describe("GET /api/me", () => {
  test("answers the shop's account at the provider", async () => {
    // The loans of other tests may have used up the call budget of this second.
    const account = await waitFor("the account", async () => {
      const response = await fetch(`${shop.url}/api/me`);
      return response.status === 200 && response.json();
    });
    expect(account).toEqual({ id: shop.sandbox.lenderId });
  });
});
