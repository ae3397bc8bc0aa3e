import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { orderKeyHeader, paths, withId } from "@keepsats/protocol";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAddress } from "../harness/builders.ts";
import { isStatus, placeOrder, refusedSocket, subscribe } from "../harness/customer.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { open, providerSettings, type Started, startProcess } from "../harness/server-process.ts";
import { callAdminApi } from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const TOKEN = "the-admin-token-of-these-tests";
const METRICS_TOKEN = "a-token-for-the-metrics";
const sandbox = useResource(() => startSandbox());
let server: Started;
beforeAll(async () => {
  const env = {
    ...providerSettings(sandbox),
    DATABASE_URL: `file:${join(sandbox.folder, "data", "shop.db")}`,
    ADMIN_TOKEN: TOKEN,
    METRICS_TOKEN,
    LOG_LEVEL: "trace",
    RATE_LIMIT_SOCKETS: "100000",
  };
  server = await open(await startProcess({ cwd: sandbox.folder, env }));
});
afterAll(async () => {
  await server.end("SIGKILL");
});

/**
 * Sends the beginning of a request and no more. Returns what the server answers until it closes
 * the connection.
 */
async function sendHalf(head: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => (answer += data)).on("error", () => {});
  socket.write(head);
  await once(socket, "close");
  return answer;
}

/** Everything that the server keeps or publishes: its log, its metrics and its files. */
async function everythingKept(): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
  expect(metrics).toContain("keepsats_refusals_total");
  const files = await readdir(join(sandbox.folder, "data"));
  expect(files).toContain("shop.db");
  const contents = await Promise.all(
    files.map((name) => readFile(join(sandbox.folder, "data", name), "latin1")),
  );
  return [server.output(), metrics, ...contents].join("\n");
}

test("an order's key, and any wrong key, is in no log of level trace, no metric, no file and no later answer", async () => {
  const order = await placeOrder(server);
  const other = await placeOrder(server);
  const wrong = `${randomUUID().replaceAll("-", "")}wrong`;
  const keys = [order.key, other.key, wrong];
  const answers: string[] = [];
  // Requests that are too large, or never end; the server waits ten seconds for those.
  const head = `GET ${withId(paths.order, order.id)}?key=${order.key} HTTP/1.1\r\nHost: x\r\n${orderKeyHeader}: `;
  const tooLarge = sendHalf(`${head}${order.key.repeat(2_000)}\r\n`);
  const endless = sendHalf(`${head}${order.key}\r\n`);
  const own = async (method: string, key: string, { path = "", query = "", body = "" } = {}) => {
    const answer = await fetch(`${server.url}${withId(paths.order, order.id)}${path}${query}`, {
      method,
      headers: {
        [orderKeyHeader]: key,
        ...(body === "" ? {} : { "content-type": "application/json" }),
      },
      ...(body === "" ? {} : { body }),
    });
    answers.push(await answer.text(), JSON.stringify([...answer.headers]));
    return answer.status;
  };
  const stream = (query: Record<string, string>) => `?${new URLSearchParams(query)}`;

  // The right key, as it is meant to be sent.
  expect(await own("GET", order.key)).toBe(200);
  expect(
    await own("PATCH", order.key, { body: JSON.stringify({ shipping_address: anAddress() }) }),
  ).toBe(200);
  const subscriber = await subscribe(server, order.id, undefined, server.url, order.key);
  await subscriber.until("the order", isStatus("Pending"));
  await subscriber.close();
  // In the wrong place, or in a request that is refused.
  expect(await own("GET", order.key, { query: `?key=${order.key}` })).toBe(422);
  expect(await own("PATCH", order.key, { body: `{"key":"${order.key}"}` })).toBe(422);
  expect(await own("PATCH", order.key, { body: `{"${order.key}` })).toBe(400);
  expect(await own("DELETE", order.key)).toBe(405);
  expect(await own("GET", order.key, { path: `/${order.key}` })).toBe(404);
  const nowhere = await fetch(`${server.url}/api/${order.key}?key=${order.key}`);
  expect(nowhere.status).toBe(404);
  const query = stream({ order_id: order.id, key: order.key });
  expect(await refusedSocket(server, { query, origin: "https://evil.example" })).toBe(403);
  expect(await refusedSocket(server, { query: stream({ key: order.key }) })).toBe(400);
  expect(await refusedSocket(server, { query: `/${order.key}${query}` })).toBe(404);
  expect((await fetch(`${server.url}${paths.orderStream}${query}`)).status).toBe(404);
  // Wrong ones, until the address is refused.
  for (const key of [wrong, other.key]) expect(await own("GET", key)).toBe(404);
  await waitFor("the refusal of wrong keys", async () => (await own("GET", wrong)) === 429);
  await waitFor("its line in the log", () => server.output().includes("order-keys"));
  expect(await refusedSocket(server, { query: stream({ order_id: order.id, key: wrong }) })).toBe(
    429,
  );
  expect(await tooLarge).toMatch(/ 431 /);
  expect(await endless).toMatch(/ 408 /);
  // An order that another process or person sees.
  answers.push(
    JSON.stringify(
      await callAdminApi({ ...server, token: TOKEN }, "GET", `/api/admin/orders/${order.id}`),
    ),
  );
  // An error of the server itself.
  const raw = new BetterSqlite3(join(sandbox.folder, "data", "shop.db"));
  raw.pragma("foreign_keys = OFF");
  raw.exec("DROP TABLE order_lines");
  raw.close();
  expect(await own("GET", order.key)).toBe(500);
  await waitFor("the error in the log", () => server.output().includes("a request failed"));

  const kept = await everythingKept();
  expect(kept).toContain(order.id);
  for (const key of keys) {
    expect(kept.includes(key)).toBe(false);
    expect(answers.filter((answer) => answer.includes(key))).toEqual([]);
  }
});

test("an order page sends no referrer to other sites", async () => {
  // The key is in the fragment, which is never part of a referrer; the ids are in the query.
  const page = await fetch(`${server.url}/order?orderId=${randomUUID()}`);
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
});
