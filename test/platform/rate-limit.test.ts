import { randomUUID } from "node:crypto";
import { paths } from "@keepsats/protocol";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { openPostgres } from "../../apps/server/src/platform/database/postgres.ts";
import { refusals } from "../../apps/server/src/platform/observability/refusals.ts";
import {
  createLimit,
  createWindowCounters,
  type WindowCounters,
  withLocalFallback,
} from "../../apps/server/src/platform/rate-limit/limit.ts";
import { createPostgresCounters } from "../../apps/server/src/platform/rate-limit/postgres.ts";
import { DAY, MINUTE } from "../../apps/server/src/platform/scheduling/clock.ts";
import { anOrder } from "../harness/builders.ts";
import { placeOrder, postOrder, refusedSocket } from "../harness/customer.ts";
import { startFaultProxy } from "../harness/network.ts";
import { newDatabase } from "../harness/postgres.ts";
import { startShop } from "../harness/shop.ts";
import { waitFor } from "../harness/wait-for.ts";

let databaseUrl: string;
let database: Database;
beforeAll(async () => {
  databaseUrl = await newDatabase(inject("postgresUrl"));
  database = await openPostgres(databaseUrl);
});
afterAll(async () => {
  await database.close();
});

describe.each<[string, () => WindowCounters]>([
  ["in memory", () => createWindowCounters(Date.now)],
  ["in PostgreSQL", () => createPostgresCounters(database.db)],
])("the counters %s", (_, open) => {
  test("count every request once, also concurrent ones", async () => {
    const counters = open();
    const key = randomUUID();
    const counted = await Promise.all(
      Array.from({ length: 50 }, () => counters.count(key, MINUTE)),
    );
    expect(counted.map(({ count }) => count).sort((one, two) => one - two)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    for (const { endsIn } of counted) {
      expect(endsIn).toBeGreaterThan(0);
      expect(endsIn).toBeLessThanOrEqual(MINUTE);
    }
    expect(await counters.count(randomUUID(), MINUTE)).toMatchObject({ count: 1 });
    const [minute, day] = await Promise.all([
      counters.count(randomUUID(), MINUTE),
      counters.count(randomUUID(), DAY),
    ]);
    expect(minute.endsIn).toBeLessThanOrEqual(MINUTE);
    expect(day.endsIn).toBeGreaterThan(DAY / 2);
    await counters.close();
  });
});

test("all processes share the counters in PostgreSQL", async () => {
  const [one, two] = [createPostgresCounters(database.db), createPostgresCounters(database.db)];
  const key = randomUUID();
  const counted = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).count(key, MINUTE)),
  );
  expect(Math.max(...counted.map(({ count }) => count))).toBe(20);
  await Promise.all([one.close(), two.close()]);
});

test("after its end a window starts again with a count of 1: in memory", async () => {
  let time = 0;
  const counters = createWindowCounters(() => time);
  await counters.count("a", MINUTE);
  time = MINUTE - 1;
  expect(await counters.count("a", MINUTE)).toEqual({ count: 2, endsIn: 1 });
  time = MINUTE;
  expect(await counters.count("a", MINUTE)).toEqual({ count: 1, endsIn: MINUTE });
});

test("after its end a window starts again with a count of 1: in PostgreSQL", async () => {
  const counters = createPostgresCounters(database.db);
  await counters.count("old", MINUTE);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("UPDATE rate_windows SET ends_at = 1, count = 70 WHERE key = 'old'");
  await client.end();
  expect(await counters.count("old", MINUTE)).toMatchObject({ count: 1 });
  await counters.close();
});

test("while the shared counters are unavailable each process counts by itself, and logs it", async () => {
  const proxy = await startFaultProxy(databaseUrl);
  const proxied = await openPostgres(proxy.url);
  const onAway = vi.fn();
  const counters = withLocalFallback(
    createPostgresCounters(proxied.db),
    createWindowCounters(Date.now),
    onAway,
  );
  const limit = createLimit([{ kind: "orders", max: 2, window: MINUTE }], {
    counters,
    now: Date.now,
    onRefused() {},
  });
  for (const fault of ["cut", "stalled"] as const) {
    proxy.set("none");
    await waitFor("the shared counters", async () => {
      onAway.mockClear();
      await counters.count(randomUUID(), MINUTE);
      return onAway.mock.calls.length === 0;
    });
    proxy.set(fault);
    const address = randomUUID();
    expect([await limit(address), await limit(address)]).toEqual([undefined, undefined]);
    expect(await limit(address)).toBeGreaterThan(0);
    const why = fault === "stalled" ? "the shared counter did not answer within 500 ms" : "";
    expect(String(onAway.mock.calls.at(-1))).toContain(why);
  }
  await counters.close();
  proxy.set("cut");
  await proxied.close();
  await proxy.close();
});

test("refusals of an address are logged once and counted, and do not affect requests with the right token", async () => {
  await using shop = await startShop({
    config: { rateLimits: { orders: 1, ordersDaily: 100, sockets: 1 } },
  });
  const ask = (path: string, token: string) =>
    fetch(`${shop.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const wrong: Response[] = [];
  for (let count = 0; count < 15; count += 1)
    wrong.push(await ask("/api/admin/orders", randomUUID()));
  expect(wrong.map(({ status }) => status)).toEqual([
    ...Array(10).fill(401),
    ...Array(5).fill(429),
  ]);
  expect(Number(wrong.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("/metrics", "wrong")).status).toBe(429);
  expect((await ask("/api/admin/orders", shop.token)).status).toBe(200);

  for (let count = 0; count < 5; count += 1) await postOrder(shop, anOrder());
  const query = `?order_id=${randomUUID()}&contract_id=c`;
  const sockets = [await refusedSocket(shop, { query, origin: "https://evil.example" })];
  while (sockets.length < 4) sockets.push(await askForSocket(shop.url, query));
  expect(sockets).toEqual([403, 101, 429, 429]);

  const metrics = await (await ask("/metrics", "metrics-token")).text();
  const counted = (kind: string) =>
    Number(new RegExp(`keepsats_refusals_total{kind="${kind}"} (\\d+)`).exec(metrics)?.[1]);
  expect(Object.fromEntries(refusals.map((kind) => [kind, counted(kind)]))).toEqual({
    ...Object.fromEntries(refusals.map((kind) => [kind, 0])),
    orders: 4,
    sockets: 2,
    tokens: 6,
    "wrong-token": 16,
  });
  const logged = shop.logs
    .filter((line) => line.includes("requests are refused"))
    .map((line) => JSON.parse(line));
  expect(logged.map(({ kind, count }) => [kind, count])).toEqual([
    ["wrong-token", 1],
    ["tokens", 1],
    ["orders", 1],
    ["sockets", 1],
  ]);
});

test("an address may present only ten wrong order keys a minute, and the right one at any time", async () => {
  await using shop = await startShop();
  const [{ id, key }, other] = [await placeOrder(shop), await placeOrder(shop)];
  const wrong = (query: string) =>
    askForSocket(shop.url, `?order_id=${id}&key=${other.key}${query}`);
  const sockets = [];
  while (sockets.length < 12)
    sockets.push(await wrong(sockets.length % 2 === 0 ? "" : "&contract_id=c"));
  expect(sockets).toEqual([...Array(10).fill(101), 429, 429]);
  expect(await askForSocket(shop.url, `?order_id=${id}&key=${key}`)).toBe(101);
  expect(await askForSocket(shop.url, `?order_id=${id}&contract_id=c`), "without a key").toBe(101);
  const logged = shop.logs.filter((line) => /"kind":"(?:wrong-key|order-keys)"/.test(line));
  expect(logged).toHaveLength(2);
  expect(logged.join()).not.toContain(other.key);
});

test("a forwarded value that is not an IP address is neither logged nor counted separately", async () => {
  const rateLimits = { orders: 1, ordersDaily: 100, sockets: 100 };
  await using shop = await startShop({ config: { rateLimits, trustProxy: 1 } });
  const statuses = [];
  for (const forwarded of [
    "jo@home.example",
    "ann@home.example",
    "10.1.1.1, jo@home.example",
    "10.1.1.1",
  ]) {
    const { status } = await postOrder(shop, anOrder(), { "x-forwarded-for": forwarded });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 429, 429, 201]);
  expect(shop.logs.join()).not.toContain("home.example");
});

test("an address may place only the configured number of orders a day", async () => {
  await using shop = await startShop({
    config: { rateLimits: { orders: 100, ordersDaily: 2, sockets: 1 } },
  });
  const answers = [];
  while (answers.length < 3) answers.push(await postOrder(shop, anOrder()));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(23 * 60 * 60);
});

/** Requests a socket. Returns the HTTP status. */
async function askForSocket(url: string, query: string): Promise<number> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${paths.orderStream}${query}`, {
    origin: url,
  });
  socket.on("error", () => {});
  const status = await new Promise<number>((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode));
  });
  socket.terminate();
  return status;
}
