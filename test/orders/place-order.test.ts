import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { anAddress, anOrder } from "../harness/builders.ts";
import { postOrder, problemOf } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";

const shop = useResource(() => startShop());

async function ordersStored(): Promise<number> {
  const rows = await shop.database.db.selectFrom("orders").select("id").execute();
  return rows.length;
}

describe("a valid order", () => {
  test("is priced by the server, whatever price the client sends", async () => {
    const body = {
      ...anOrder(),
      total_price: 0.01,
      items: [{ item_id: "enamel-mug", quantity: 3, price: 0.01 }],
    };
    const response = await postOrder(shop, body);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/),
      status: "Pending",
      total_price: 55.5,
      items: [{ id: "enamel-mug", name: "Enamel Mug", price: 18.5, quantity: 3 }],
    });
  });

  test("is not cacheable, nor are its views in the admin API and refusals", async () => {
    const placed = await postOrder(shop, anOrder());
    const { id }: { id: string } = await placed.json();
    const headers = { authorization: `Bearer ${shop.token}` };
    const answers = [
      placed,
      await postOrder(shop, "{"),
      await fetch(`${shop.url}/api/admin/orders`, { headers }),
      await fetch(`${shop.url}/api/admin/orders/${id}`, { headers }),
      await fetch(`${shop.url}/api/admin/payment-issues`, { headers }),
    ];
    expect(answers.map((answer) => answer.headers.get("cache-control"))).toEqual(
      answers.map(() => "no-store"),
    );
  });

  test("is stored completely: lines, addresses and its first event", async () => {
    const response = await postOrder(
      shop,
      anOrder({
        customer_name: "  Grace Hopper ",
        items: [
          { item_id: "oak-chair", quantity: 2 },
          { item_id: "field-watch", quantity: 1 },
        ],
        billing_address: anAddress({ city: "Arlington" }),
      }),
    );
    const { id }: { id: string } = await response.json();
    const { body } = await callAdminApi(shop, "GET", `/api/admin/orders/${id}`);
    expect(body).toMatchObject({
      status: "Pending",
      total_price: 2440,
      customer_name: "Grace Hopper",
      items: [
        { id: "oak-chair", price: 900, quantity: 2 },
        { id: "field-watch", price: 640, quantity: 1 },
      ],
      shipping_address: { city: "London" },
      billing_address: { city: "Arlington" },
      events: [{ from: null, to: "Pending", by: "customer" }],
      loans: [],
    });
  });

  test("keeps its price when the catalogue changes", async () => {
    const kettle = {
      id: "kettle",
      name: "Enamel Kettle",
      description: "Boils water.",
      price: 89,
      image_url: "/pictures/moka-pot.svg",
    };
    await callAdminApi(shop, "POST", "/api/admin/items/import", { items: [kettle] });
    const order = anOrder({ items: [{ item_id: "kettle", quantity: 1 }] });
    const { id }: { id: string } = await (await postOrder(shop, order)).json();
    await callAdminApi(shop, "PATCH", "/api/admin/items/kettle", { price: 95, name: "Kettle" });
    const { body } = await callAdminApi(shop, "GET", `/api/admin/orders/${id}`);
    expect(body).toMatchObject({
      total_price: 89,
      items: [{ name: "Enamel Kettle", price: 89 }],
    });
    const next = await postOrder(shop, order);
    expect(await next.json()).toMatchObject({ total_price: 95 });
  });

  test("may have 100 lines and 9,999 of one item", async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      id: `thing-${index}`,
      name: `Thing ${index}`,
      description: "One of many.",
      price: 999_999.99,
      image_url: "/pictures/moka-pot.svg",
    }));
    await callAdminApi(shop, "POST", "/api/admin/items/import", { items });
    const response = await postOrder(
      shop,
      anOrder({ items: items.map(({ id }) => ({ item_id: id, quantity: 9_999 })) }),
    );
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ total_price: 999_899_990_001 });
  });

  test("is stored once for each of fifty customers who order at the same time", async () => {
    const before = await ordersStored();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => postOrder(shop, anOrder())),
    );
    const ids = await Promise.all(
      responses.map(async (response) => ((await response.json()) as { id: string }).id),
    );
    expect(new Set(ids).size).toBe(50);
    expect(await ordersStored()).toBe(before + 50);
  });
});

describe("the order's key", () => {
  test("is in the answer and its replays, and nowhere in the database or the log", async () => {
    const headers = { "idempotency-key": "with-a-key" };
    const { id, key } = await (await postOrder(shop, anOrder(), headers)).json();
    expect(key).toMatch(/^[\w-]{22}$/);
    const other = await (await postOrder(shop, anOrder())).json();
    expect(other.key).not.toBe(key);
    await shop.restart();
    expect(await (await postOrder(shop, anOrder(), headers)).json()).toMatchObject({ id, key });
    const { db } = shop.database;
    const tables = ["orders", "order_events", "idempotency_keys", "key_values"] as const;
    const rows = await Promise.all(
      tables.map((table) => db.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(rows)).toContain(id);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(shop.logs.join("")).not.toContain(key);
  });
});

describe("an Idempotency-Key", () => {
  test("with the same body replays the first answer and creates no second order", async () => {
    const headers = { "idempotency-key": "same-again" };
    const first = await postOrder(shop, anOrder(), headers);
    const before = await ordersStored();
    const second = await postOrder(shop, anOrder(), headers);
    expect(second.status).toBe(201);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(await second.text()).toBe(await first.text());
    expect(await ordersStored()).toBe(before);
  });

  test("replays the first answer after a price change, and shows that its order is cancelled", async () => {
    const headers = { "idempotency-key": "moved-on" };
    const body = anOrder({ items: [{ item_id: "oak-chair", quantity: 2 }] });
    const first = await (await postOrder(shop, body, headers)).text();
    await callAdminApi(shop, "POST", `/api/admin/orders/${JSON.parse(first).id}/transitions`, {
      to: "Cancelled",
    });
    await callAdminApi(shop, "PATCH", "/api/admin/items/oak-chair", { price: 901 });
    const again = await (await postOrder(shop, body, headers)).json();
    expect(again).toEqual({ ...JSON.parse(first), status: "Cancelled" });
    await callAdminApi(shop, "PATCH", "/api/admin/items/oak-chair", { price: 900 });
  });

  test("creates one order from ten concurrent requests", async () => {
    const before = await ordersStored();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        postOrder(shop, anOrder(), { "idempotency-key": "at-once" }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
    expect(await ordersStored()).toBe(before + 1);
  });

  test("is refused with another body", async () => {
    const headers = { "idempotency-key": "other-body" };
    await postOrder(shop, anOrder(), headers);
    const response = await postOrder(shop, anOrder({ customer_name: "Grace Hopper" }), headers);
    expect(response.status).toBe(422);
    expect(await problemOf(response)).toMatchObject({ code: "idempotency_conflict" });
  });

  test("still replays the first answer after a restart of the server", async () => {
    const headers = { "idempotency-key": "over-a-restart" };
    const first = await (await postOrder(shop, anOrder(), headers)).text();
    await shop.restart();
    expect(await (await postOrder(shop, anOrder(), headers)).text()).toBe(first);
  });

  test("must be one to 200 printable characters", async () => {
    const response = await postOrder(shop, anOrder(), { "idempotency-key": "x".repeat(201) });
    expect(response.status).toBe(422);
  });
});

describe("invalid input", () => {
  const line = { item_id: "moka-pot", quantity: 1 };
  const lines = (...items: unknown[]) => ({ ...anOrder(), items });

  test.each<[string, unknown, string, string]>([
    [
      "an unknown item",
      lines({ item_id: "unicorn", quantity: 1 }),
      "items.0.item_id",
      "This item is not available any more",
    ],
    ["an empty cart", lines(), "items", "The cart is empty"],
    ["quantity 0", lines({ ...line, quantity: 0 }), "items.0.quantity", ""],
    ["a negative quantity", lines({ ...line, quantity: -1 }), "items.0.quantity", ""],
    ["a fraction", lines({ ...line, quantity: 1.5 }), "items.0.quantity", ""],
    ["a huge quantity", lines({ ...line, quantity: 10_000 }), "items.0.quantity", ""],
    ["an astronomic quantity", lines({ ...line, quantity: 1e300 }), "items.0.quantity", ""],
    ["a quantity in a string", lines({ ...line, quantity: "1" }), "items.0.quantity", ""],
    [
      "duplicate lines",
      lines(line, line),
      "items.1.item_id",
      "This item is already on an earlier line",
    ],
    [
      "101 lines",
      lines(...Array.from({ length: 101 }, (_, i) => ({ item_id: `i${i}`, quantity: 1 }))),
      "items",
      "An order has at most 100 lines",
    ],
    ["no items at all", { ...anOrder(), items: undefined }, "items", ""],
    ["a blank name", anOrder({ customer_name: "   " }), "customer_name", "Name is required"],
    [
      "an over-long name",
      anOrder({ customer_name: "x".repeat(201) }),
      "customer_name",
      "Name is too long (200 characters at most)",
    ],
    [
      "a name with control characters",
      anOrder({ customer_name: "Ada\u0000\u001b[31m" }),
      "customer_name",
      "Name has characters that cannot be used",
    ],
    [
      "a name of half a character",
      anOrder({ customer_name: "Ada \ud800" }),
      "customer_name",
      "Name has characters that cannot be used",
    ],
    ["a blank email", anOrder({ customer_email: "" }), "customer_email", "Email is required"],
    [
      "a wrong email",
      anOrder({ customer_email: "ada@example" }),
      "customer_email",
      "Email is invalid",
    ],
    [
      "an over-long email",
      anOrder({ customer_email: `${"x".repeat(250)}@a.bc` }),
      "customer_email",
      "Email is too long (254 characters at most)",
    ],
    [
      "a blank street",
      anOrder({ shipping_address: anAddress({ street: " " }) }),
      "shipping_address.street",
      "Street is required",
    ],
    [
      "a blank city",
      anOrder({ shipping_address: anAddress({ city: "" }) }),
      "shipping_address.city",
      "City is required",
    ],
    [
      "a blank state",
      anOrder({ shipping_address: anAddress({ state: "" }) }),
      "shipping_address.state",
      "State is required",
    ],
    [
      "a blank postal code",
      anOrder({ billing_address: anAddress({ postal_code: "" }) }),
      "billing_address.postal_code",
      "Postal code is required",
    ],
    [
      "a blank country",
      anOrder({ billing_address: anAddress({ country: "\t" }) }),
      "billing_address.country",
      "Country is required",
    ],
    [
      "an over-long city",
      anOrder({ billing_address: anAddress({ city: "x".repeat(201) }) }),
      "billing_address.city",
      "City is too long (200 characters at most)",
    ],
    [
      "a missing billing address",
      { ...anOrder(), billing_address: undefined },
      "billing_address",
      "",
    ],
    [
      "a missing street",
      { ...anOrder(), shipping_address: { ...anAddress(), street: undefined } },
      "shipping_address.street",
      "Street is required",
    ],
    ["an address that is a list", { ...anOrder(), shipping_address: [] }, "shipping_address", ""],
  ])("%s is answered 422 with the field, and stores nothing", async (_, body, path, message) => {
    const before = await ordersStored();
    const response = await postOrder(shop, body);
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ code: "invalid", status: 422 });
    const fault = problem.errors?.find((error) => error.path === path);
    expect(fault, JSON.stringify(problem.errors)).toBeDefined();
    if (message !== "") expect(fault?.message).toBe(message);
    expect(await ordersStored()).toBe(before);
  });

  test("a hidden item cannot be bought", async () => {
    await callAdminApi(shop, "PATCH", "/api/admin/items/desk-lamp", { hidden: true });
    const response = await postOrder(shop, lines({ item_id: "desk-lamp", quantity: 1 }));
    expect(response.status).toBe(422);
    await callAdminApi(shop, "PATCH", "/api/admin/items/desk-lamp", { hidden: false });
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ["what is no JSON", "{", {}, 400, "malformed"],
    ["no body", "", {}, 400, "malformed"],
    ["a JSON text", '"order"', {}, 400, "malformed"],
    ["a JSON list", "[]", {}, 400, "malformed"],
    ["a poisoned object", '{"__proto__":{"x":1}}', {}, 400, "malformed"],
    ["a form", "a=b", { "content-type": "application/x-www-form-urlencoded" }, 415, "wrong_type"],
    ["plain text", "hello", { "content-type": "text/plain" }, 415, "wrong_type"],
    [
      "a body over the limit",
      JSON.stringify({ ...anOrder(), junk: "x".repeat(65 * 1024) }),
      {},
      413,
      "too_large",
    ],
  ])("%s is answered with a problem", async (_, body, headers, status, code) => {
    const response = await postOrder(shop, body, headers);
    expect(response.status).toBe(status);
    expect(await problemOf(response)).toMatchObject({ status, code });
  });

  test.each<[string, string, BufferEncoding, string, number, string]>([
    ["with bytes that are not UTF-8", "Jos\u00e9", "latin1", "application/json", 400, "malformed"],
    [
      "in Latin-1",
      "Jos\u00e9",
      "latin1",
      "application/json; charset=iso-8859-1",
      415,
      "wrong_type",
    ],
    ["in UTF-16", "Jos\u00e9", "utf16le", "application/json; charset=utf-16", 415, "wrong_type"],
    [
      "in ASCII by its charset",
      "Jose",
      "latin1",
      'application/json;charset="us-ascii"',
      415,
      "wrong_type",
    ],
  ])("an order %s is refused", async (_, customer_name, encoding, type, status, code) => {
    const before = await ordersStored();
    const body = Buffer.from(JSON.stringify({ ...anOrder(), customer_name }), encoding);
    const headers = { "content-type": type };
    const response = await fetch(`${shop.url}/api/orders`, { method: "POST", headers, body });
    expect([response.status, (await problemOf(response)).code]).toEqual([status, code]);
    expect(await ordersStored()).toBe(before);
  });

  test.each(["UTF-8", '"utf-8"', "utf8"])(
    "an order in the charset %s is placed",
    async (charset) => {
      const order = { ...anOrder(), customer_name: "Jos\u00e9" };
      const response = await postOrder(shop, order, {
        "content-type": `application/json; charset=${charset}`,
      });
      expect(response.status).toBe(201);
    },
  );

  test("no request of these tests has caused an error of the server", () => {
    expect(shop.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

test("too many orders from one address are answered 429 with Retry-After", async () => {
  await using strict = await startShop({
    config: { rateLimits: { orders: 2, ordersDaily: 100, sockets: 100 } },
  });
  await postOrder(strict, anOrder());
  await postOrder(strict, anOrder());
  const response = await postOrder(strict, anOrder());
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await problemOf(response)).toMatchObject({ code: "too_many" });
  expect((await fetch(`${strict.url}/api/items`)).status).toBe(200);
});

test("while another program writes to the database orders wait, and other requests are answered", async () => {
  const other = new BetterSqlite3(join(shop.folder, "shop.db"));
  other.exec("BEGIN IMMEDIATE");
  try {
    let answered = false;
    const placing = postOrder(shop, anOrder()).finally(() => {
      answered = true;
    });
    for (const path of ["/livez", "/api/items"])
      expect((await fetch(shop.url + path)).status).toBe(200);
    expect((await callAdminApi(shop, "GET", "/api/admin/orders")).status).toBe(200);
    expect(answered).toBe(false);
    other.exec("COMMIT");
    expect((await placing).status).toBe(201);
  } finally {
    other.close();
  }
});

test("requests from a hostile page do not count towards the visitor's rate limit", async () => {
  await using strict = await startShop({
    config: { rateLimits: { orders: 1, ordersDaily: 100, sockets: 100 } },
  });
  const evil = { origin: "https://evil.example" };
  for (const [headers, status] of [
    [{ ...evil, "content-type": "text/plain" }, 403],
    [{ origin: "null" }, 403],
    [evil, 403],
    [{ "content-type": "text/plain;charset=UTF-8" }, 415],
  ] as const) {
    expect((await postOrder(strict, anOrder(), headers)).status).toBe(status);
  }
  const own = { origin: strict.url, "content-type": "application/json; charset=utf-8" };
  expect((await postOrder(strict, anOrder(), own)).status).toBe(201);
  expect((await postOrder(strict, anOrder(), own)).status).toBe(429);
});
