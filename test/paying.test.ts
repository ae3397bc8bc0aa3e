import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { follow, isError, isStatus, placeOrder } from "./harness/customer.ts";
import { startShop } from "./harness/shop.ts";
import { merchant } from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";
import { waitFor } from "./harness/wait-for.ts";

const shop = useResource(() => startShop());
beforeEach(() => shop.lender.outage("none"));

interface MerchantView {
  status: string;
  events: { from: string | null; to: string; by: string; reason: string | null }[];
  loans: { id: string; provider_status: string; state: string }[];
}

async function view(orderId: string, target = shop): Promise<MerchantView> {
  const { body } = await merchant(target, "GET", `/api/merchant/orders/${orderId}`);
  return body as MerchantView;
}

async function issuesOf(orderId: string): Promise<{ kind: string; loan_id: string }[]> {
  const { body } = await merchant(shop, "GET", "/api/merchant/payment-issues");
  const { payment_issues: issues } = body as {
    payment_issues: { order_id: string; kind: string; loan_id: string }[];
  };
  return issues.filter(({ order_id }) => order_id === orderId);
}

async function move(
  orderId: string,
  to: string,
  target = shop,
): Promise<{ status: number; body: unknown }> {
  return merchant(target, "POST", `/api/merchant/orders/${orderId}/transitions`, { to });
}

describe("a successful loan", () => {
  test("moves the order to PaymentProcessed while it is followed, and the merchant then moves it to Delivered", async () => {
    const slow = await startShop({ step: 1_000 });
    const { id, key } = await placeOrder(slow);
    const loanId = await slow.lender.fund({ amount: "45.00", orderId: id });
    const follower = await follow(slow, id, loanId, slow.url, key);
    await follower.until("the payment", isStatus("PaymentProcessed"));
    await move(id, "Shipped", slow);
    await move(id, "Delivered", slow);
    await follower.until("the delivery", isStatus("Delivered"));
    await follower.close();

    // Whoever holds the key is sent the order at once, perhaps before the shop has seen the loan.
    const [first, ...later] = follower.statuses();
    expect(first === "Pending" ? later : [first, ...later]).toEqual([
      "PaymentProcessing",
      "PaymentProcessed",
      "Shipped",
      "Delivered",
    ]);
    expect(follower.messages[0]?.data).toMatchObject({
      items: [{ id: "moka-pot", name: "Moka Pot", price: 45, quantity: 1 }],
      total_price: 45,
      customer_name: "Ada Lovelace",
      customer_email: "ada@example.org",
      shipping_address: { street: "12 St James's Square", country: "United Kingdom" },
      billing_address: { city: "London" },
    });
    expect(Math.abs((follower.messages[0]?.data.created_at ?? 0) - Date.now() / 1000)).toBeLessThan(
      60,
    );
    expect((await view(id, slow)).events.map(({ from, to, by }) => [from, to, by])).toEqual([
      [null, "Pending", "shopper"],
      ["Pending", "PaymentProcessing", "provider"],
      ["PaymentProcessing", "PaymentProcessed", "provider"],
      ["PaymentProcessed", "Shipped", "merchant"],
      ["Shipped", "Delivered", "merchant"],
    ]);
    await slow.close();
  });

  test("pays the order of a shopper who has closed the browser", async () => {
    const { id } = await placeOrder(shop);
    await shop.lender.fund({ amount: "45.00", orderId: id });
    await waitFor(
      "the sweep to settle it",
      async () => (await view(id)).status === "PaymentProcessed",
    );
  });

  test("is still checked by the server after the shopper has left, and after a restart", async () => {
    const slow = await startShop({ step: 1_500, times: { sweep: 3_600_000 } });
    try {
      const { id } = await placeOrder(slow);
      const loanId = await slow.lender.fund({ amount: "45.00", orderId: id });
      const follower = await follow(slow, id, loanId);
      await follower.until("the first status", isStatus("PaymentProcessing"));
      await follower.close();
      await slow.restart();
      await waitFor("the payment", async () => {
        const { body } = await merchant(slow, "GET", `/api/merchant/orders/${id}`);
        return (body as MerchantView).status === "PaymentProcessed";
      });
    } finally {
      await slow.close();
    }
  });
});

test.each([
  ["in turn", 20, 3_600_000],
  ["by the sweep", 200, 500],
])(
  "more shoppers than the call budget allows checks for at a time see their orders paid, %s",
  async (_, count, sweep) => {
    const launch = await startShop({ step: 300, times: { followed: 200, sweep } });
    try {
      const funded = Array.from({ length: count }, async () => {
        const { id } = await placeOrder(launch);
        return { id, loanId: await launch.lender.fund({ amount: "45.00", orderId: id }) };
      });
      const followers = await Promise.all(
        (await Promise.all(funded)).map(({ id, loanId }) => follow(launch, id, loanId)),
      );
      for (const follower of followers) {
        await follower.until("the payment", isStatus("PaymentProcessed"));
        await follower.close();
      }
    } finally {
      await launch.close();
    }
  },
);

describe("a failed loan", () => {
  test.each([
    ["reject", "Rejected"],
    ["expire", "ApprovalExpired"],
  ])(
    "(%s) returns the order to Pending, notifies the follower, and another loan can pay the order",
    async (dial, status) => {
      const { id } = await placeOrder(shop);
      const first = await shop.lender.fund({ amount: "45.00", orderId: id, dial });
      const follower = await follow(shop, id, first);
      await follower.until(
        "the end of the attempt",
        ({ data }) => data.status === "Pending" && data.payment_attempt_over === true,
      );
      expect((await view(id)).loans).toMatchObject([
        { id: first, provider_status: status, state: "ended" },
      ]);

      const second = await shop.lender.fund({ amount: "45.00", orderId: id });
      const again = await follow(shop, id, second);
      await again.until("the payment", isStatus("PaymentProcessed"));
      await follower.until("the same for the first follower", isStatus("PaymentProcessed"));
      await again.close();
      await follower.close();
      expect(await issuesOf(id)).toEqual([]);
    },
  );
});

describe("a loan that does not pay the order", () => {
  test("(underpaid) shows nothing of the order, is recorded, and leaves the order as it was", async () => {
    const { id } = await placeOrder(shop);
    const loanId = await shop.lender.fund({ amount: "45.00", orderId: id, dial: "wrong-amount" });
    const follower = await follow(shop, id, loanId);
    await follower.until("the refusal", isError("ContractNotFound"));
    await follower.close();
    expect(follower.messages.filter(({ type }) => type === "order")).toEqual([]);
    expect(await issuesOf(id)).toMatchObject([{ kind: "underpaid", loan_id: loanId }]);
    expect((await view(id)).status).toBe("Pending");
  });

  test("(another order's) is refused and recorded as of an unknown order", async () => {
    const { id } = await placeOrder(shop);
    const loanId = await shop.lender.fund({ amount: "45.00", orderId: id, dial: "wrong-order" });
    const follower = await follow(shop, id, loanId);
    await follower.until("the refusal", isError("ContractNotFound"));
    await follower.close();
    expect(follower.messages.filter(({ type }) => type === "order")).toEqual([]);
    expect(await issuesOf(id)).toMatchObject([{ kind: "unknown-order" }]);
  });

  test("(used before) cannot pay a second order", async () => {
    const one = await placeOrder(shop);
    const other = await placeOrder(shop);
    const loanId = await shop.lender.fund({ amount: "45.00", orderId: one.id });
    const owner = await follow(shop, one.id, loanId);
    await owner.until("the payment", isStatus("PaymentProcessed"));
    const thief = await follow(shop, other.id, loanId);
    await thief.until("the refusal", isError("ContractNotFound"));
    await Promise.all([owner.close(), thief.close()]);
    expect(thief.messages.filter(({ type }) => type === "order")).toEqual([]);
    expect(await view(other.id)).toMatchObject({ status: "Pending", loans: [] });
    expect(await issuesOf(other.id)).toMatchObject([{ kind: "unknown-order" }]);
  });

  test("(invented) is ContractNotFound, and an order that does not exist is OrderNotFound", async () => {
    const { id } = await placeOrder(shop);
    const guesser = await follow(shop, id, randomUUID());
    await guesser.until("the refusal", isError("ContractNotFound"));
    await guesser.close();
    const lost = await follow(shop, randomUUID(), randomUUID());
    await lost.until("the refusal", isError("OrderNotFound"));
    await lost.close();
    const odd = await follow(shop, "' OR 1=1 --", "x");
    await odd.until("the refusal", isError("OrderNotFound"));
    await odd.close();
    const odder = await follow(shop, id, "../users/me");
    await odder.until("the refusal", isError("ContractNotFound"));
    await odder.close();
  });

  test("(a second one that is paid) is recorded for the merchant and changes nothing", async () => {
    const { id } = await placeOrder(shop);
    await shop.lender.fund({ amount: "45.00", orderId: id });
    await waitFor("the first payment", async () => (await view(id)).status === "PaymentProcessed");
    // One of the same amount may turn out to extend the first.
    const second = await shop.lender.fund({ amount: "46.00", orderId: id });
    await waitFor("the payment issue", async () => (await issuesOf(id)).length > 0);
    expect(await issuesOf(id)).toMatchObject([{ kind: "duplicate", loan_id: second }]);
    expect((await view(id)).status).toBe("PaymentProcessed");
  });

  test("(paid after the order was cancelled) is recorded, and the order stays cancelled", async () => {
    const { id } = await placeOrder(shop);
    await shop.lender.outage("down");
    const loanId = await shop.lender.fund({ amount: "45.00", orderId: id });
    await move(id, "Cancelled");
    await shop.lender.outage("none");
    await waitFor("the payment issue", async () => (await issuesOf(id)).length > 0);
    expect(await issuesOf(id)).toMatchObject([{ kind: "paid-after-cancel", loan_id: loanId }]);
    expect((await view(id)).status).toBe("Cancelled");
  });
});

describe("a provider that cannot be reached", () => {
  test.each(["down", "error", "html", "slow"])(
    "(%s) sends an unverified follower only ConnectionError, and the order after the recovery",
    async (kind) => {
      const { id } = await placeOrder(shop);
      await shop.lender.outage(kind); // Before there is a loan, because a sweep could find it.
      const loanId = await shop.lender.fund({ amount: "45.00", orderId: id });
      const follower = await follow(shop, id, loanId);
      await follower.until("the error", isError("ConnectionError"));
      expect(follower.messages.every(({ type }) => type === "error")).toBe(true);
      await shop.lender.outage("none");
      await follower.until("the payment", isStatus("PaymentProcessed"));
      await follower.close();
    },
  );

  test("sends a follower with a bound loan the last known order and the error, and later changes after the recovery", async () => {
    const slow = await startShop({ step: 1_500 });
    try {
      const { id } = await placeOrder(slow);
      const loanId = await slow.lender.fund({ amount: "45.00", orderId: id });
      const early = await follow(slow, id, loanId);
      await early.until("the first status", isStatus("PaymentProcessing"));
      await slow.lender.outage("down");
      await early.until("the error", isError("ConnectionError"));
      const late = await follow(slow, id, loanId);
      await late.until("the last known order", isStatus("PaymentProcessing"));
      await late.until("the error", isError("ConnectionError"));
      await slow.lender.outage("none");
      await early.until("the payment", isStatus("PaymentProcessed"));
      await late.until("the payment", isStatus("PaymentProcessed"));
      await Promise.all([early.close(), late.close()]);
    } finally {
      await slow.close();
    }
  });

  test("does not slow down selling", async () => {
    const slowProvider = await startShop({ times: { providerTimeout: 600_000 } });
    try {
      await slowProvider.lender.outage("slow");
      const { id } = await placeOrder(slowProvider);
      const follower = await follow(slowProvider, id, randomUUID());
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => fetch(`${slowProvider.url}/api/items`)),
      );
      expect(responses.every(({ status }) => status === 200)).toBe(true);
      await placeOrder(slowProvider);
      expect(follower.messages.filter(({ type }) => type === "order")).toEqual([]);
      await follower.close();
    } finally {
      await slowProvider.close();
    }
  });
});

describe("GET /api/me", () => {
  test("answers the lender's account", async () => {
    // The loans of other tests may have used up the call budget of this second.
    const account = await waitFor("the account", async () => {
      const response = await fetch(`${shop.url}/api/me`);
      return response.status === 200 && response.json();
    });
    expect(account).toEqual({ id: shop.lender.lenderId });
  });

  test("is 503 until the account was read once, and cached from then on", async () => {
    const fresh = await startShop();
    try {
      await fresh.lender.outage("down");
      const response = await fetch(`${fresh.url}/api/me`);
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("2");
      await fresh.lender.outage("none");
      await waitFor("the account", async () => (await fetch(`${fresh.url}/api/me`)).status === 200);
      await fresh.lender.outage("down");
      expect((await fetch(`${fresh.url}/api/me`)).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });
});

test("an outage of the provider is logged once at its start and once at its end", async () => {
  const fresh = await startShop({ times: { providerTimeout: 10_000 } });
  try {
    await fresh.lender.outage("error");
    const lines = (text: string) => fresh.logs.filter((line) => line.includes(text));
    await waitFor(
      "the warning",
      () => lines("gives no usable answer").length === 1 && lines("HTTP 500").length === 1,
    );
    await fresh.lender.outage("none");
    await waitFor("the good news", () => lines("answers again").length === 1);
  } finally {
    await fresh.close();
  }
});

test("a flood of requests for the account does not keep orders from being paid", async () => {
  const fresh = await startShop();
  try {
    await fresh.lender.outage("error");
    await fetch(`${fresh.url}/api/me`);
    await fresh.lender.outage("none");
    const { id } = await placeOrder(fresh);
    await fresh.lender.fund({ amount: "45.00", orderId: id });
    let asking = true;
    const asker = (async () => {
      while (asking) await fetch(`${fresh.url}/api/me`);
    })();
    await waitFor("the payment", async () => {
      const { body } = await merchant(fresh, "GET", `/api/merchant/orders/${id}`);
      return (body as MerchantView).status === "PaymentProcessed";
    });
    asking = false;
    await asker;
  } finally {
    await fresh.close();
  }
});

test("no request of these tests has caused an error of the server", () => {
  expect(shop.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});

test("no log line and no metric contains a name, an e-mail address, a street, a token, a key or a complete order id", async () => {
  const { id, key } = await placeOrder(shop);
  await (await follow(shop, id, randomUUID(), shop.url, key)).close();
  const logs = shop.logs.join("");
  expect(logs).toContain(id.slice(0, 8));
  const metrics = await (
    await fetch(`${shop.url}/metrics`, { headers: { authorization: "Bearer metrics-token" } })
  ).text();
  expect(metrics).toContain("keepsats_order_to_paid_seconds_count");
  for (const secret of [
    id,
    key,
    "Ada",
    "ada@example.org",
    "St James",
    shop.token,
    shop.lender.key,
  ]) {
    expect(logs).not.toContain(secret);
    expect(metrics).not.toContain(secret);
  }
  expect(metrics).not.toContain(id.slice(0, 8));
});
