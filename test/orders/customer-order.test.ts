import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { orderKeyOf } from "../../apps/server/src/modules/orders/keys/order-keys.ts";
import { readSharedSecret } from "../../apps/server/src/platform/database/key-values.ts";
import { anAddress, anOrder } from "../harness/builders.ts";
import { isStatus, paidOrder, placeOrder, problemOf, subscribe } from "../harness/customer.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop({ step: 600_000 }));

interface Own {
  readonly id: string;
  readonly key: string;
}

/** Calls a route of the customer's own order. */
function own(
  method: string,
  { id, key }: Own,
  {
    path = "",
    body,
    headers = {},
  }: { path?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${shop.url}/api/orders/${id}${path}`, {
    method,
    headers: {
      "order-key": key,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
const cancel = (order: Own) => own("POST", order, { path: "/cancellation" });
const correct = (order: Own, shipping_address: unknown) =>
  own("PATCH", order, { body: { shipping_address } });
const history = async (id: string) =>
  (await callAdminApi(shop, "GET", `/api/admin/orders/${id}`)).body;

describe("the customer's own order", () => {
  test("is the same as its subscribers get", async () => {
    const order = await placeOrder(shop);
    const subscriber = await subscribe(shop, order.id, undefined, shop.url, order.key);
    await subscriber.until("the order", isStatus("Pending"));
    await subscriber.close();
    for (const id of [order.id, order.id.toUpperCase()]) {
      const answer = await own("GET", { ...order, id });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const { has_key, ...sent } = Object(subscriber.messages[0]?.data);
      expect(has_key).toBe(true);
      expect(await answer.json()).toEqual(sent);
    }
  });

  test.each(["GET", "PATCH", "POST"])("needs its key for %s", async (method) => {
    const [order, other] = [await placeOrder(shop), await placeOrder(shop)];
    const path = method === "POST" ? "/cancellation" : "";
    const body =
      method === "PATCH" ? { shipping_address: anAddress({ city: "Paris" }) } : undefined;
    const without = await fetch(`${shop.url}/api/orders/${order.id}${path}`, { method });
    expect(without.status).toBe(401);
    expect(without.headers.get("www-authenticate")).toBe("Order-Key");
    const wrong = await own(method, { ...order, key: other.key }, { path, body });
    const unknown = await own(method, { id: randomUUID(), key: order.key }, { path, body });
    expect([wrong.status, unknown.status]).toEqual([404, 404]);
    const problems = [await problemOf(wrong), await problemOf(unknown)];
    expect(problems[0]).toEqual(problems[1]);
    expect(JSON.stringify(problems)).not.toContain(other.key);
    expect(await (await own("GET", order)).json()).toMatchObject({
      status: "Pending",
      shipping_address: anAddress(),
    });
  });

  test("is neither shown to a page of another origin nor changed by it, even with its key", async () => {
    const order = await placeOrder(shop);
    const headers = { origin: "https://evil.example" };
    expect((await own("GET", order, { headers })).status).toBe(403);
    expect((await own("POST", order, { path: "/cancellation", headers })).status).toBe(403);
    expect((await own("GET", order, { headers: { origin: shop.url } })).status).toBe(200);
  });
});

describe("a corrected address", () => {
  test("is returned, sent to subscribers and kept in the order's history", async () => {
    const order = await placeOrder(shop);
    const subscriber = await subscribe(shop, order.id, undefined, shop.url, order.key);
    await subscriber.until("the order", isStatus("Pending"));
    const address = anAddress({ street: "  1 New Street " });
    const answer = await correct(order, address);
    expect(answer.status).toBe(200);
    const corrected = { ...address, street: "1 New Street" };
    expect(await answer.json()).toMatchObject({ id: order.id, shipping_address: corrected });
    await subscriber.until(
      "the correction",
      ({ data }) => data.shipping_address?.street === corrected.street,
    );
    await subscriber.close();
    expect(await history(order.id)).toMatchObject({
      shipping_address: corrected,
      billing_address: anAddress(),
      events: [{ by: "customer" }, { by: "customer" }],
    });
  });

  test.each([
    [
      "an empty field",
      { ...anAddress(), street: " " },
      "shipping_address.street",
      "Street is required",
    ],
    [
      "a missing field",
      { ...anAddress(), country: undefined },
      "shipping_address.country",
      "Country is required",
    ],
  ])("with %s is refused with the checkout's message", async (_, address, path, message) => {
    const order = await placeOrder(shop);
    const answer = await correct(order, address);
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).errors).toEqual([{ path, message }]);
  });

  test("with a field that is too long, or of another type, is refused", async () => {
    const order = await placeOrder(shop);
    for (const street of ["x".repeat(201), 1, null])
      expect((await correct(order, { ...anAddress(), street })).status).toBe(422);
    expect((await own("PATCH", order, { body: [] })).status).toBe(400);
  });

  test("is refused if the address has changed since it was read", async () => {
    const order = await placeOrder(shop);
    const theirs = anAddress({ city: "Paris" });
    expect((await correct(order, theirs)).status).toBe(200);
    const body = {
      shipping_address: anAddress({ city: "Rome" }),
      expected: { shipping_address: anAddress() },
    };
    const answer = await own("PATCH", order, { body });
    expect(answer.status).toBe(409);
    expect(await problemOf(answer)).toMatchObject({ code: "order_changed" });
    expect(await history(order.id)).toMatchObject({ shipping_address: theirs });
    const again = await own("PATCH", order, {
      body: { ...body, expected: { shipping_address: theirs } },
    });
    expect(again.status).toBe(200);
  });

  test("is refused with the current status once the order is shipped", async () => {
    await using quick = await startShop();
    const { id } = await paidOrder(quick);
    const { key } = await keyOf(quick, id);
    await callAdminApi(quick, "POST", `/api/admin/orders/${id}/transitions`, { to: "Shipped" });
    const answer = await fetch(`${quick.url}/api/orders/${id}`, {
      method: "PATCH",
      headers: { "order-key": key, "content-type": "application/json" },
      body: JSON.stringify({ shipping_address: anAddress({ city: "Paris" }) }),
    });
    expect(answer.status).toBe(409);
    expect(await problemOf(answer)).toMatchObject({
      code: "status_changed",
      current_status: "Shipped",
    });
    const cancellation = await fetch(`${quick.url}/api/orders/${id}/cancellation`, {
      method: "POST",
      headers: { "order-key": key },
    });
    expect(cancellation.status).toBe(409);
    expect(await problemOf(cancellation)).toMatchObject({
      code: "transition_refused",
      current_status: "Shipped",
    });
  });
});

/** The key of an order, from the secret in the shop's database. */
async function keyOf({ database }: Shop, id: string): Promise<{ key: string }> {
  const secret = await readSharedSecret(database.db, "order-key-secret");
  return { key: orderKeyOf(secret, id) };
}

describe("an order that replaces an unpaid one", () => {
  const place = (
    replaced: Partial<Own>,
    body: unknown = anOrder(),
    headers: Record<string, string> = {},
  ) =>
    fetch(`${shop.url}/api/orders`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(replaced.id !== undefined && { "replaced-order": replaced.id }),
        ...(replaced.key !== undefined && { "order-key": replaced.key }),
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const oneMug = anOrder({ items: [{ item_id: "enamel-mug", quantity: 1 }] });
  const setStock = (stock: number | null) =>
    callAdminApi(shop, "PATCH", "/api/admin/items/enamel-mug", { stock });

  test("takes its pieces, and its subscribers see it cancelled", async () => {
    await setStock(1);
    const old = await placeOrder(shop, oneMug);
    const subscriber = await subscribe(shop, old.id, undefined, shop.url, old.key);
    expect((await place({}, oneMug)).status).toBe(409);
    const answer = await place({ id: old.id.toUpperCase(), key: old.key }, oneMug);
    expect(answer.status).toBe(201);
    await subscriber.until("the cancelling", isStatus("Cancelled"));
    await subscriber.close();
    expect(await history(old.id)).toMatchObject({
      events: [
        { to: "Pending" },
        { to: "Cancelled", by: "customer", reason: "replaced by another order" },
      ],
    });
    await setStock(null);
  });

  test("needs that order's key, and otherwise leaves it unchanged", async () => {
    const [old, other] = [await placeOrder(shop), await placeOrder(shop)];
    expect((await place({ id: old.id })).status).toBe(401);
    expect(await (await own("GET", old)).json()).toMatchObject({ status: "Pending" });
    expect((await place({ id: old.id, key: other.key })).status).toBe(404);
    expect((await place({ id: "no-id", key: old.key })).status).toBe(404);
    expect((await place(old, anOrder(), { origin: "https://evil.example" })).status).toBe(403);
    expect(await (await own("GET", old)).json()).toMatchObject({ status: "Pending" });
  });

  test("is refused while a loan for it is active", async () => {
    const old = await placeOrder(shop);
    const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: old.id });
    const subscriber = await subscribe(shop, old.id, loanId, shop.url, old.key);
    await subscriber.until("the loan", isStatus("PaymentProcessing"));
    await subscriber.close();
    const answer = await place(old);
    expect(answer.status).toBe(409);
    expect(await problemOf(answer)).toMatchObject({ code: "loan_active" });
  });
});

describe("a cancellation", () => {
  test("of an order without a loan cancels it for all subscribers, and a second one answers the same", async () => {
    const order = await placeOrder(shop);
    const subscriber = await subscribe(shop, order.id, undefined, shop.url, order.key);
    for (let time = 0; time < 2; time += 1) {
      const answer = await cancel(order);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: order.id, status: "Cancelled" });
    }
    await subscriber.until("the cancelling", isStatus("Cancelled"));
    await subscriber.close();
    expect(await history(order.id)).toMatchObject({
      status: "Cancelled",
      events: [{ to: "Pending" }, { to: "Cancelled", by: "customer" }],
    });
  });

  test("is refused while a loan is active that a page has presented a moment ago", async () => {
    const order = await placeOrder(shop);
    const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: order.id });
    const subscriber = await subscribe(shop, order.id, loanId, shop.url, order.key);
    const answer = await cancel(order);
    // The page's socket and the cancellation arrive at the same moment, so the loan may be
    // presented after it.
    if (answer.status === 409) {
      expect(await problemOf(answer)).toMatchObject({ code: "loan_active" });
      await subscriber.until("the loan", isStatus("PaymentProcessing"));
    } else {
      expect(await answer.json()).toMatchObject({ status: "Cancelled" });
    }
    await subscriber.until("the loan", ({ data }) => data.status !== "Pending");
    const again = await cancel(order);
    expect(again.status).toBe(answer.status);
    await subscriber.close();
  });

  test("is refused while a loan is active, and succeeds once it has ended", async () => {
    await using quick = await startShop();
    const order = await placeOrder(quick);
    const loanId = await quick.sandbox.fund({
      amount: "45.00",
      orderId: order.id,
      dial: "reject",
    });
    const subscriber = await subscribe(quick, order.id, loanId, quick.url, order.key);
    await subscriber.until(
      "the end of the loan",
      ({ data }) => data.payment_attempt_failed === true,
    );
    await subscriber.close();
    const answer = await fetch(`${quick.url}/api/orders/${order.id}/cancellation`, {
      method: "POST",
      headers: { "order-key": order.key },
    });
    expect(answer.status).toBe(200);
  });

  test("is answered 503 while the provider cannot be reached about a presented loan", async () => {
    const order = await placeOrder(shop);
    await shop.sandbox.outage("error");
    try {
      const loanId = await shop.sandbox.fund({ amount: "45.00", orderId: order.id });
      const subscriber = await subscribe(shop, order.id, loanId, shop.url, order.key);
      await subscriber.until("the outage", ({ data }) => data.kind === "ConnectionError");
      const answer = await cancel(order);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      await shop.sandbox.outage("none");
      await subscriber.until("the loan", isStatus("PaymentProcessing"));
      expect(await problemOf(await cancel(order))).toMatchObject({
        code: "loan_active",
        current_status: "PaymentProcessing",
      });
      await subscriber.close();
    } finally {
      await shop.sandbox.outage("none");
    }
  });

  test("makes a later payout a payment issue", async () => {
    await using quick = await startShop({ step: 300 });
    const order = await placeOrder(quick);
    const headers = { "order-key": order.key };
    const path = `${quick.url}/api/orders/${order.id}/cancellation`;
    expect((await fetch(path, { method: "POST", headers })).status).toBe(200);
    const loanId = await quick.sandbox.fund({ amount: "45.00", orderId: order.id });
    await expect
      .poll(async () => (await callAdminApi(quick, "GET", `/api/admin/orders/${order.id}`)).body, {
        timeout: 20_000,
      })
      .toMatchObject({
        status: "Cancelled",
        payment_issues: [{ loan_id: loanId, kind: "paid-after-cancel" }],
      });
  });
});

test("wrong keys are limited per address over all routes, and the right key is always accepted", async () => {
  const [order, other] = [await placeOrder(shop), await placeOrder(shop)];
  const statuses: number[] = [];
  while (statuses.length < 12)
    statuses.push((await own("GET", { ...order, key: other.key })).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(10);
  const refused = await own("POST", { ...order, key: other.key }, { path: "/cancellation" });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await own("GET", order)).status).toBe(200);
});
