import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { needProgram } from "../../scripts/test-programs.ts";
import { anOrder } from "../harness/builders.ts";
import { paidOrder, postOrder } from "../harness/customer.ts";
import { freePort } from "../harness/network.ts";
import { newDatabase } from "../harness/postgres.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { open, providerSettings, type Started, startProcess } from "../harness/server-process.ts";
import type { Service } from "../harness/service.ts";
import { startCaddy, startHaproxy } from "../harness/services.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";
import { startVisitors, type Visitors } from "./visitors.ts";

const PUBLIC_URL = "https://shop.example";
const sandbox = useResource(() => startSandbox({ shopOrigin: PUBLIC_URL }));
let databaseUrl: string;
let servers: Started[];
let addresses: string[];
let proxies: Service[];

async function start(port: number, env: Record<string, string> = {}): Promise<Started> {
  const started = await startProcess({
    cwd: sandbox.folder,
    port,
    env: {
      DATABASE_URL: databaseUrl,
      ...providerSettings(sandbox),
      PUBLIC_URL,
      ADMIN_TOKEN: "the-admin-token-of-these-tests",
      TRUST_PROXY: "1",
      RATE_LIMIT_ORDERS: "1000000",
      RATE_LIMIT_SOCKETS: "1000000",
      // The proxies check a server once a second.
      DRAIN_SECONDS: "3",
      ...env,
    },
  });
  return open(started);
}

beforeAll(async () => {
  for (const proxy of ["caddy", "haproxy"] as const) needProgram(proxy);
  databaseUrl = await newDatabase(inject("postgresUrl"));
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  servers = await Promise.all(ports.map((port) => start(port)));
  addresses = ports.map((port) => `127.0.0.1:${port}`);
  proxies = await Promise.all([startCaddy(addresses), startHaproxy(addresses)]);
});
/** Starts a server in the place of one that has ended. */
async function startAgain(ended: Started): Promise<void> {
  servers[servers.indexOf(ended)] = await start(Number(new URL(ended.url).port));
}
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await Promise.all(servers.map((server) => server.end("SIGKILL")));
});

/** Waits until each group of visitors has had some more requests answered. */
async function someRequests(...groups: readonly Visitors[]): Promise<void> {
  for (const visitors of groups) {
    const before = visitors.served;
    await waitFor("some requests", () => visitors.served > before + 30);
  }
}

test("no request fails while three servers restart one after another, behind Caddy and HAProxy", async () => {
  const [{ url = "" } = {}] = proxies;
  const order = await paidOrder({ url, sandbox, origin: PUBLIC_URL });
  const groups = proxies.map(({ url }) => startVisitors({ url, origin: PUBLIC_URL, order }));
  await someRequests(...groups);
  for (const server of [...servers]) {
    await server.end();
    await startAgain(server);
    await someRequests(...groups);
  }
  await Promise.all(groups.map((visitors) => visitors.stop()));
  expect(groups.map(({ failed }) => failed)).toEqual([[], []]);
});

/**
 * Places an order without retries. Returns the response's status, or 0 if the proxy closed the
 * connection, and its time.
 */
async function placeOnce(
  url: string,
  key: string,
): Promise<{ key: string; status: number; at: number }> {
  const { status } = await postOrder({ url }, anOrder(), { "idempotency-key": key }).catch(() => ({
    status: 0,
  }));
  return { key, status, at: performance.now() };
}

/**
 * Places orders one after another for two seconds. Returns their statuses and the duration of the
 * slowest.
 */
async function placeForAWhile(url: string): Promise<{ statuses: Set<number>; slowest: number }> {
  const statuses = new Set<number>();
  const started = performance.now();
  let slowest = 0;
  while (performance.now() < started + 2_000) {
    const before = performance.now();
    const { status, at } = await placeOnce(url, randomUUID());
    statuses.add(status);
    slowest = Math.max(slowest, at - before);
    await pause(50);
  }
  return { statuses, slowest };
}

test("after one of two servers behind Caddy crashes, the other answers orders within two seconds", async () => {
  const [, , crashed] = servers;
  if (crashed === undefined) throw new Error("there is no server");
  await using proxy = await startCaddy(addresses.slice(1));
  await crashed.end("SIGKILL");
  const { statuses, slowest } = await placeForAWhile(proxy.url);
  expect(slowest).toBeLessThan(2_000);
  expect([201, 502]).toEqual(expect.arrayContaining([...statuses]));
  expect((await placeForAWhile(proxy.url)).statuses).toEqual(new Set([201]));
  await startAgain(crashed);
});

describe("a single server behind Caddy", () => {
  let server: Started;
  let proxy: Service;
  const startOne = async (port: number) => {
    server = await start(port, { DRAIN_SECONDS: "2" });
  };
  beforeAll(async () => {
    const port = await freePort();
    await startOne(port);
    proxy = await startCaddy([`127.0.0.1:${port}`]);
  });
  afterAll(async () => {
    await proxy.stop();
    await server.end("SIGKILL");
  });

  test("lets visitors wait while it restarts: only orders fail, which pages retry", async () => {
    const order = await paidOrder({ url: proxy.url, sandbox, origin: PUBLIC_URL });
    const visitors = startVisitors({ url: proxy.url, origin: PUBLIC_URL, order });
    await someRequests(visitors);
    await server.end();
    await startOne(Number(new URL(server.url).port));
    await someRequests(visitors);
    await visitors.stop();
    expect(visitors.failed.filter((failure) => !/^POST .*: 50[23]$/.test(failure))).toEqual([]);
  });

  test("has its orders refused within two seconds after a crash, while pages wait for its next start", async () => {
    await server.end("SIGKILL");
    const page = fetch(`${proxy.url}/`).then(({ status }) => status, String);
    const { statuses, slowest } = await placeForAWhile(proxy.url);
    expect(slowest).toBeLessThan(2_000);
    expect([502, 503]).toEqual(expect.arrayContaining([...statuses]));
    await startOne(Number(new URL(server.url).port));
    expect(await page).toBe(200);
  });
});

test.each([
  ["Caddy", 0],
  ["HAProxy", 1],
])(
  "orders at a killed server fail within two seconds behind %s, and can be retried",
  async (_, index) => {
    const url = proxies[index]?.url ?? "";
    // Each proxy loses a server that has not crashed before, because it takes a second to detect
    // that one has recovered.
    const victim = servers[index];
    if (victim === undefined) throw new Error("there is no server");
    const answers: Awaited<ReturnType<typeof placeOnce>>[] = [];
    let stopped = false;
    async function shop(): Promise<void> {
      while (!stopped) answers.push(await placeOnce(url, randomUUID()));
    }
    const customers = Array.from({ length: 20 }, shop);
    await waitFor("some orders", () => answers.length > 50);
    const killedAt = performance.now();
    await victim.end("SIGKILL");
    const atKill = answers.length;
    await waitFor("more orders", () => answers.length > atKill + 100);
    stopped = true;
    await Promise.all(customers);

    const cutOff = answers.filter(({ status }) => status !== 201);
    expect(cutOff.length).toBeGreaterThan(0);
    expect([502, 0]).toEqual(expect.arrayContaining(cutOff.map(({ status }) => status)));
    expect(Math.max(...cutOff.map(({ at }) => at - killedAt))).toBeLessThan(2_000);
    const again = await Promise.all(cutOff.map(({ key }) => placeOnce(url, key)));
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 201));
    await startAgain(victim);
  },
);
