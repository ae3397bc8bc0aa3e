import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import {
  isError,
  isStatus,
  paidOrder,
  placeOrder,
  refusedSocket,
  subscribe,
  type TestSubscriber,
} from "../harness/customer.ts";
import { startShop, storeStatus } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop());

async function move(id: string, to: string): Promise<void> {
  await callAdminApi(shop, "POST", `/api/admin/orders/${id}/transitions`, { to });
}

describe("a socket is refused", () => {
  const ids = `?order_id=${randomUUID()}&contract_id=${randomUUID()}`;
  test.each([
    ["from a foreign origin", { query: ids, origin: "https://evil.example" }, 403],
    ["with the order's id alone", { query: `?order_id=${randomUUID()}` }, 400],
    ["on another path", { query: `/../other${ids}` }, 404],
  ])("%s", async (_, request, status) => {
    expect(await refusedSocket(shop, request)).toBe(status);
  });

  test("beyond the limit of its address, while other requests are answered", async () => {
    await using strict = await startShop({
      config: { rateLimits: { orders: 100, ordersDaily: 100, sockets: 2 } },
    });
    const open = await Promise.all([
      subscribe(strict, randomUUID(), "a"),
      subscribe(strict, randomUUID(), "b"),
    ]);
    expect(await refusedSocket(strict, { query: ids })).toBe(429);
    expect((await fetch(`${strict.url}/api/items`)).status).toBe(200);
    await Promise.all(open.map((subscriber) => subscriber.close()));
  });
});

test.each(["//", "///", "/\\\\", "http://[/", "http://a:99999/"])(
  "a handshake for the invalid URL %s is refused, and the server keeps running",
  async (path) => {
    const { port } = new URL(shop.url);
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => {
      answer += data;
    });
    const handshake = [
      `GET ${path} HTTP/1.1`,
      `Host: localhost:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    socket.write(`${handshake.join("\r\n")}\r\n\r\n`);
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1.1 40[04] /);
    expect((await fetch(`${shop.url}/livez`)).status).toBe(200);
  },
);

test("a request to upgrade to another protocol is answered like one without an upgrade", async () => {
  const { port } = new URL(shop.url);
  const headers = {
    connection: "Upgrade, HTTP2-Settings",
    upgrade: "h2c",
    "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA",
  };
  const status = await new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/api/items", headers }, (response) =>
      resolve(response.statusCode),
    ).on("error", reject);
  });
  expect(status).toBe(200);
});

describe("a subscriber", () => {
  test("gets an order with a status of a newer version, and does not affect other orders", async () => {
    const [one, other] = [await paidOrder(shop), await paidOrder(shop)];
    storeStatus(shop, one.id, "Refunded");
    const subscriber = await subscribe(shop, one.id, one.loanId);
    await subscriber.until("the newer status", isStatus("Refunded"));
    const beside = await subscribe(shop, other.id, other.loanId);
    await beside.until("the order", isStatus("PaymentProcessed"));
    // Without a message on the bus, so that only the reading of all versions finds it.
    storeStatus(shop, other.id, "Shipped");
    await beside.until("the shipping", isStatus("Shipped"));
    await Promise.all([subscriber.close(), beside.close()]);
  });

  test("misses no change between subscribing and reading, and never gets an older version", async () => {
    const { id, loanId } = await paidOrder(shop);
    const subscribers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        if (index === 10) await move(id, "Shipped");
        return subscribe(shop, id, loanId);
      }),
    );
    await move(id, "Delivered");
    for (const subscriber of subscribers)
      await subscriber.until("the delivery", isStatus("Delivered"));
    const order = ["PaymentProcessed", "Shipped", "Delivered"];
    for (const subscriber of subscribers) {
      const seen = subscriber.messages.map(({ data }) => order.indexOf(data.status ?? ""));
      expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    }
    await Promise.all(subscribers.map((subscriber) => subscriber.close()));
  });

  test("who sends garbage gets no answer and does not affect other subscribers", async () => {
    const { id, loanId } = await paidOrder(shop);
    const noisy = await subscribe(shop, id, loanId);
    noisy.socket.send("{not json");
    noisy.socket.send(Buffer.from([0, 255, 1, 254]));
    const calm = await subscribe(shop, id, loanId);
    await move(id, "Shipped");
    await calm.until("the shipping", isStatus("Shipped"));
    await noisy.until("the shipping", isStatus("Shipped"));
    await Promise.all([noisy.close(), calm.close()]);
  });

  test("who sends a frame of 1 MB is closed with 1009", async () => {
    const { id, loanId } = await paidOrder(shop);
    const subscriber = await subscribe(shop, id, loanId);
    const closed = once(subscriber.socket, "close");
    subscriber.socket.send("x".repeat(1_000_000));
    expect((await closed)[0]).toBe(1009);
  });

  test("is closed with 1001 when the server stops, and can reconnect after the restart", async () => {
    const { id, loanId } = await paidOrder(shop);
    const subscriber = await subscribe(shop, id, loanId);
    await subscriber.until("the order", isStatus("PaymentProcessed"));
    const closed = once(subscriber.socket, "close");
    await shop.restart();
    expect((await closed)[0]).toBe(1001);
    const again = await subscribe(shop, id, loanId);
    await again.until("the order", isStatus("PaymentProcessed"));
    await again.close();
  });

  test("is counted while it is connected", async () => {
    const count = async () =>
      Number(/^keepsats_subscribers (\d+)$/m.exec(await shop.metrics())?.[1]);
    await waitFor("those of other tests to be gone", async () => (await count()) === 0);
    const subscriber = await subscribe(shop, randomUUID(), "c");
    await waitFor("the count to rise", async () => (await count()) === 1);
    await subscriber.close();
    await waitFor("the count to fall", async () => (await count()) === 0);
  });
});

describe("the customer's name, email and address", () => {
  const shown = {
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.org",
    shipping_address: { street: "12 St James's Square" },
  };
  const withheld = {
    total_price: 45,
    customer_name: "",
    customer_email: "",
    shipping_address: { street: "", city: "", state: "", postal_code: "", country: "" },
    withheld: true,
  };
  const last = ({ messages }: TestSubscriber) => messages.at(-1)?.data;
  const waiting = useResource(() => startShop({ step: 600_000 }));

  test.each([
    ["is only requested", () => waiting, "none", "PaymentProcessing"],
    ["is rejected", () => shop, "reject", "Pending"],
    ["has expired", () => shop, "expire", "Pending"],
  ])("are not shown without the key while the loan %s", async (_, place, dial, status) => {
    const target = place();
    const [order, other] = [await placeOrder(target), await placeOrder(target)];
    const loanId = await target.sandbox.fund({ amount: "45.00", orderId: order.id, dial });
    const subscribeWith = (key?: string) => subscribe(target, order.id, loanId, target.url, key);
    const [stranger, guesser, customer] = [
      await subscribeWith(),
      await subscribeWith(other.key),
      await subscribeWith(order.key),
    ];
    for (const subscriber of [stranger, guesser, customer]) {
      await subscriber.until(
        "the end of the loan, or its beginning",
        ({ data }) =>
          data.status === status && (status !== "Pending" || data.payment_attempt_failed === true),
      );
      await subscriber.close();
    }
    expect(last(stranger)).toMatchObject(withheld);
    expect(last(guesser)).toMatchObject(withheld);
    expect(last(customer)).toMatchObject(shown);
    expect(last(customer)).not.toHaveProperty("withheld");
    expect(JSON.stringify([stranger.messages, guesser.messages])).not.toMatch(/Ada|ada@|St James/);
  });

  test("are shown to subscribers with the loan that has paid only, in every status", async () => {
    const { id } = await placeOrder(shop);
    const rejected = await shop.sandbox.fund({ amount: "45.00", orderId: id, dial: "reject" });
    const stranger = await subscribe(shop, id, rejected);
    await stranger.until(
      "the end of that loan",
      ({ data }) => data.payment_attempt_failed === true,
    );
    const payer = await subscribe(
      shop,
      id,
      await shop.sandbox.fund({ amount: "45.00", orderId: id }),
    );
    await payer.until("the payment", isStatus("PaymentProcessed"));
    await stranger.until("the payment", isStatus("PaymentProcessed"));
    expect(last(payer)).toMatchObject(shown);
    await move(id, "Cancelled");
    for (const subscriber of [payer, stranger]) {
      await subscriber.until("the cancelling", isStatus("Cancelled"));
      await subscriber.close();
    }
    expect(last(payer)).toMatchObject(shown);
    expect(last(stranger)).toMatchObject(withheld);
    expect(JSON.stringify(stranger.messages)).not.toMatch(/Ada|ada@|St James/);
  });
});

describe("a subscriber with the order's key and no loan", () => {
  test("is sent the whole order from its first moment, and everything that happens to it", async () => {
    const { id, key } = await placeOrder(shop);
    const subscriber = await subscribe(shop, id, undefined, shop.url, key);
    await subscriber.until("the order", isStatus("Pending"));
    expect(subscriber.messages[0]?.data).toMatchObject({
      id,
      customer_name: "Ada Lovelace",
      customer_email: "ada@example.org",
    });
    // Only the sweep finds this loan, because no page presents it.
    await shop.sandbox.fund({ amount: "45.00", orderId: id });
    await subscriber.until("the payment", isStatus("PaymentProcessed"));
    await move(id, "Shipped");
    await subscriber.until("the shipping", isStatus("Shipped"));
    expect(subscriber.messages.every(({ type }) => type === "order")).toBe(true);
    await subscriber.close();
  });

  test("is answered as for an unknown order if the key is wrong or of another order", async () => {
    const [order, other] = [await placeOrder(shop), await placeOrder(shop)];
    const unknown = await subscribe(shop, randomUUID(), undefined, shop.url, other.key);
    await unknown.until("the refusal", isError("OrderNotFound"));
    for (const wrong of [other.key, order.key.slice(0, -1), `${order.key}A`, "ключ"]) {
      const subscriber = await subscribe(shop, order.id, undefined, shop.url, wrong);
      await subscriber.until("the refusal", isError("OrderNotFound"));
      expect(subscriber.messages).toEqual(unknown.messages);
      await subscriber.close();
    }
    await unknown.close();
  });
});

test("a subscriber with the key gets the order at once besides the error of a mismatched loan", async () => {
  const { id, key } = await placeOrder(shop);
  const foreign = await shop.sandbox.fund({
    amount: "45.00",
    orderId: (await placeOrder(shop)).id,
  });
  for (const loanId of [foreign, "no-such-loan", "not an id"]) {
    const holder = await subscribe(shop, id, loanId, shop.url, key);
    await holder.until("the refusal", isError("ContractNotFound"));
    expect(holder.messages.map(({ type }) => type)).toEqual(["order", "error"]);
    await holder.close();
    const stranger = await subscribe(shop, id, loanId);
    await stranger.until("the refusal", isError("ContractNotFound"));
    expect(stranger.messages).toHaveLength(1);
    await stranger.close();
  }
});
