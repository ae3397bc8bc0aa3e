import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "@keepsats/protocol";
import { anOrder } from "@keepsats/testing";
import { createClient } from "redis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../scripts/postgres-tools.ts";
import { follow, isStatus, merchant, paidOrder, placeOrder, postOrder } from "./client.ts";
import { type Lender, startLender } from "./lender.ts";
import { expectNothingLost, startLoad } from "./load.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { type FaultProxy, startFaultProxy, throughProxy } from "./proxy.ts";
import { startRedis, type TestRedis } from "./redis.ts";
import { lenderSettings, open, type Started, startProcess } from "./server-process.ts";
import { waitFor } from "./wait-for.ts";

const PUBLIC_URL = "https://shop.example";
const token = "the-merchant's-own-long-token";
/** The duration of each contract status, in milliseconds; a loan is in progress for some seconds. */
const STEP = 600;
/** How often a server checks a followed contract, in milliseconds. */
const LOOK_EVERY = 2_000;
/** The timeout for a sweep to settle contracts that nobody follows, in milliseconds. */
const SWEEP_WITHIN = 60_000;

/**
 * The tests of three server processes on one PostgreSQL.
 *
 * @param withRedis whether the bus and the rate limits use Redis
 */
export function describeScaledShop({ withRedis }: { withRedis: boolean }): void {
  let folder: string;
  let postgres: TestPostgres;
  let redis: TestRedis | undefined;
  /** In front of the server that carries the bus: Redis, or PostgreSQL itself. */
  let busProxy: FaultProxy | undefined;
  let databaseUrl: string;
  let lender: Lender;
  let servers: Started[];

  async function startServer(): Promise<Started> {
    const started = await startProcess({
      cwd: folder,
      env: {
        DATABASE_URL: databaseUrl,
        ...(redis === undefined || busProxy === undefined
          ? {}
          : { REDIS_URL: throughProxy(redis.url, busProxy) }),
        ...lenderSettings(lender),
        PUBLIC_URL,
        MERCHANT_TOKEN: token,
        METRICS_TOKEN: token,
        RATE_LIMIT_ORDERS: "1000000",
        RATE_LIMIT_SOCKETS: "1000000",
      },
    });
    return open(started);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keepsats-"));
    postgres = await startPostgres();
    databaseUrl = await postgres.newDatabase();
    if (withRedis) {
      redis = await startRedis();
      const { hostname, port } = new URL(redis.url);
      busProxy = await startFaultProxy({ host: hostname, port: Number(port) });
    }
    lender = await startLender({ folder, shopOrigin: PUBLIC_URL, step: STEP });
    servers = await Promise.all([startServer(), startServer(), startServer()]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()));
    await lender.close();
    await busProxy?.close();
    await redis?.stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  const server = (index: number): Started => {
    const started = servers[index];
    if (started === undefined) throw new Error(`there is no server ${index}`);
    return started;
  };
  const followOn = (on: Started, orderId: string, contract: string) =>
    follow(on, orderId, contract, PUBLIC_URL);
  const move = (on: Started, id: string, to: string) =>
    merchant({ ...on, token }, "POST", `/api/merchant/orders/${id}/transitions`, { to });
  const paid = () => paidOrder({ url: server(0).url, lender, origin: PUBLIC_URL });

  const rows = <Row extends object>(sql: string) => ask<Row>(databaseUrl, sql);

  /** The count of one address's orders in the present minute, from PostgreSQL or Redis. */
  async function ordersCounted(): Promise<number> {
    if (redis === undefined) {
      const [window] = await rows<{ count: number }>(
        "SELECT max(count)::int AS count FROM rate_windows WHERE key LIKE 'orders:%'",
      );
      return window?.count ?? 0;
    }
    const client = createClient({ url: redis.url });
    await client.connect();
    const keys = await client.keys("keepsats:orders:*");
    const counts = await Promise.all(keys.map((key) => client.get(key)));
    client.destroy();
    return Math.max(0, ...counts.map(Number));
  }

  test("an order changed on one is seen by its followers on all others", async () => {
    const { id, contract } = await paid();
    const followers = await Promise.all(servers.map((on) => followOn(on, id, contract)));
    for (const follower of followers) await follower.until("the payment", isStatus("PaymentProcessed"));
    await move(server(1), id, "Shipped");
    for (const follower of followers) await follower.until("the shipping", isStatus("Shipped"));
    await move(server(2), id, "Delivered");
    for (const follower of followers) {
      await follower.until("the delivery", isStatus("Delivered"));
      expect(follower.statuses()).toEqual(["PaymentProcessed", "Shipped", "Delivered"]);
      await follower.close();
    }
  });

  test("an item changed on one is on the list of all others", async () => {
    const price = 10 + Math.floor(Math.random() * 1_000);
    const answer = await merchant({ ...server(0), token }, "PATCH", "/api/merchant/items/moka-pot", {
      price,
    });
    expect(answer.status).toBe(200);
    for (const { url } of servers) {
      await waitFor("the new price", async () => {
        const items: { id: string; price: number }[] = await (await fetch(`${url}${paths.items}`)).json();
        return items.some((item) => item.id === "moka-pot" && item.price === price);
      });
    }
    await merchant({ ...server(0), token }, "PATCH", "/api/merchant/items/moka-pot", { price: 45 });
  });

  test("a shop setting changed on one is in the pages of all others, and in what they tell the merchant", async () => {
    const name = `Shop ${randomUUID().slice(0, 8)}`;
    const changed = await merchant({ ...server(1), token }, "PUT", paths.merchant.settings, {
      name,
      accent: "#3aa6ff",
    });
    expect(changed.status).toBe(200);
    for (const on of servers) {
      await waitFor("the new name in the page", async () => {
        const page = await (await fetch(on.url)).text();
        return page.includes(`<title>${name}</title>`) && page.includes("--color-accent:#3aa6ff");
      });
      const { body } = await merchant({ ...on, token }, "GET", paths.merchant.settings);
      expect(body).toMatchObject({ settings: { name: { value: name, changed_by: "merchant" } } });
    }
  });

  test("an order placed on one is the same order on the others, also under its idempotency key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const answers = await Promise.all(servers.map((on) => postOrder(on, anOrder(), headers)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).id));
    expect(new Set(ids).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(2);
  });

  test("ten pieces are sold to exactly ten of 200 shoppers of all processes, and their lists follow", async () => {
    const stockOf = async (url: string) => {
      const items: { id: string; in_stock: unknown }[] = await (await fetch(`${url}${paths.items}`)).json();
      return items.find(({ id }) => id === "oak-chair")?.in_stock;
    };
    const item = "/api/merchant/items/oak-chair";
    expect(await merchant({ ...server(0), token }, "PATCH", item, { stock: 10 })).toMatchObject({
      status: 200,
    });
    const body = anOrder({
      items: [
        { item_id: "oak-chair", quantity: 1 },
        { item_id: "moka-pot", quantity: 1 },
      ],
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        postOrder(server(index % 3), body, { "idempotency-key": randomUUID() }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(190);
    for (const { url } of servers)
      await waitFor("the list", async () => (await stockOf(url)) === false, 2_000);
    const lines = await rows<{ sold: number }>(
      "SELECT sum(taken)::int AS sold FROM order_lines WHERE item_id = 'oak-chair'",
    );
    expect(lines).toEqual([{ sold: 10 }]);
    await merchant({ ...server(0), token }, "PATCH", item, { stock: null });
  });

  test("a loan is checked by one process at a time", async () => {
    const { id } = await placeOrder(server(0));
    const contract = await lender.fund({ amount: "45.00", orderId: id });
    const begun = Date.now();
    const followers = await Promise.all(
      [...servers, ...servers, ...servers].map((on) => followOn(on, id, contract)),
    );
    for (const follower of followers) await follower.until("the payment", isStatus("PaymentProcessed"));
    const looks = Math.floor((Date.now() - begun) / LOOK_EVERY) + 1;
    expect(lender.asked(contract)).toBeLessThanOrEqual(looks + 1);
    await Promise.all(followers.map((follower) => follower.close()));
  });

  /** The call budget is in PostgreSQL, also with Redis as bus. */
  if (!withRedis) {
    test("all processes together make at most five calls a second to the lender", async () => {
      const orders = await Promise.all(
        Array.from({ length: 12 }, (_, index) => placeOrder(server(index % 3))),
      );
      const begun = lender.calls.length;
      const followers = await Promise.all(
        orders.flatMap(({ id }, index) =>
          Array.from({ length: 8 }, (_, nth) => followOn(server((index + nth) % 3), id, randomUUID())),
        ),
      );
      await waitFor("forty questions", () => lender.calls.length - begun >= 40);
      await Promise.all(followers.map((follower) => follower.close()));
      const calls = lender.calls.slice(begun);
      const WINDOW = 3;
      const most = Math.max(
        ...calls.map((from) => calls.filter((at) => at >= from && at < from + WINDOW * 1000).length),
      );
      // The budget may have saved up one second of calls, and some earlier calls may arrive in the same window.
      expect(most).toBeLessThanOrEqual((WINDOW + 2) * 5);
    });
  }

  test("changes during an outage of the bus are found after its recovery, and orders are accepted meanwhile", async () => {
    const { id, contract } = await paid();
    const followers = await Promise.all(servers.map((on) => followOn(on, id, contract)));
    for (const follower of followers) await follower.until("the payment", isStatus("PaymentProcessed"));
    if (busProxy === undefined) {
      await rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query ~ 'pg_notify|LISTEN'",
      );
    } else {
      busProxy.set("cut");
      await waitFor("all to notice", () =>
        servers.every((on) => on.output().includes("between the processes is disconnected")),
      );
    }
    await move(server(0), id, "Shipped");
    expect((await placeOrder(server(1))).id).toBeDefined();
    busProxy?.set("none");
    for (const follower of followers) {
      await follower.until("the shipping", isStatus("Shipped"));
      await follower.close();
    }
  });

  test("rate limits are counted for all processes together, also after an outage of the bus", async () => {
    const orders = 30;
    await waitFor("all of them to be counted", async () => {
      const before = await ordersCounted();
      await Promise.all(Array.from({ length: orders }, (_, index) => placeOrder(server(index % 3))));
      return (await ordersCounted()) - before === orders;
    });
  });

  test("after a process was killed its followers reconnect to others and miss nothing, others take over its checks, and no acknowledged order is lost", {
    timeout: 2 * SWEEP_WITHIN,
  }, async () => {
    const { id, contract } = await paid();
    const unfinished = await placeOrder(server(0));
    const load = startLoad(() => servers.map(({ url }) => url));
    const follower = await followOn(server(2), id, contract);
    await follower.until("the payment", isStatus("PaymentProcessed"));
    await lender.outage("down"); // The order must not be paid before the kill.
    const slow = await lender.fund({ amount: "45.00", orderId: unfinished.id });
    const first = await followOn(server(2), unfinished.id, slow);
    await waitFor("some orders", () => load.acknowledged.size > 50);

    await server(2).end("SIGKILL");
    await lender.outage("none");
    await move(server(0), id, "Shipped");
    const again = await followOn(server(1), id, contract);
    await again.until("what was missed", isStatus("Shipped"));
    expect(first.statuses()).not.toContain("PaymentProcessed");
    await waitFor(
      "the other loan to be settled by those who are left",
      async () => {
        const { body } = await merchant(
          { ...server(0), token },
          "GET",
          `/api/merchant/orders/${unfinished.id}`,
        );
        return Reflect.get(Object(body), "status") === "PaymentProcessed";
      },
      SWEEP_WITHIN,
    );
    servers[2] = await startServer();
    await load.stop();
    await expectNothingLost(rows, load.acknowledged);
    await again.close();
  });

  test("a restart of PostgreSQL under load causes only 503, loses no acknowledged order and duplicates none", async () => {
    const { id, contract } = await paid();
    const followers = await Promise.all(servers.map((on) => followOn(on, id, contract)));
    for (const follower of followers) await follower.until("the payment", isStatus("PaymentProcessed"));
    const load = startLoad(() => servers.map(({ url }) => url));
    await waitFor("some orders", () => load.acknowledged.size > 50);
    const before = load.acknowledged.size;
    await postgres.restart();
    await waitFor("more orders", () => load.acknowledged.size > before + 50);
    await load.stop();
    expect([...load.refusals].sort()).toEqual(load.refusals.size === 0 ? [] : ["503 unavailable"]);
    await expectNothingLost(rows, load.acknowledged);
    await waitFor("the move", async () => (await move(server(0), id, "Shipped")).status === 200);
    for (const follower of followers) {
      await follower.until("the shipping", isStatus("Shipped"));
      await follower.close();
    }
    for (const on of servers) {
      expect((await fetch(`${on.url}/readyz`)).status).toBe(200);
      expect(on.output()).toContain("the database is unreachable");
      expect(on.output()).not.toContain("work in the background failed");
    }
  });
}
