import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { paths } from "@keepsats/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { anOrder } from "../harness/builders.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { open, providerSettings, type Started, startProcess } from "../harness/server-process.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

/**
 * On Linux every address 127.x.y.z is local; elsewhere only one is, so a second client cannot be
 * simulated.
 */
const ATTACKER = "127.0.0.66";
const SLOW_WRITER = "127.0.0.67";
const canAttack = process.platform === "linux";

const sandbox = useResource(() => startSandbox());
let server: Started;
beforeAll(async () => {
  server = await open(
    await startProcess({
      cwd: sandbox.folder,
      env: {
        DATABASE_URL: `file:${join(sandbox.folder, "shop.db")}`,
        ADMIN_TOKEN: randomUUID(),
        RATE_LIMIT_SOCKETS: "1000000",
        LOG_LEVEL: "warn",
        ...providerSettings(sandbox),
      },
    }),
  );
});
afterAll(async () => {
  expect(server.output()).not.toMatch(/"level":(?:50|60)/);
  await server.end();
});

const attackers: Socket[] = [];
afterEach(() => {
  for (const socket of attackers.splice(0)) socket.destroy();
});

/** A connection from an address; `closed` when the server has closed it. */
function connectFrom(localAddress: string): Socket {
  const { port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  return socket.on("error", () => {}).resume();
}

/** A connection of the attacker, until the end of the test. */
function attack(): Socket {
  const socket = connectFrom(ATTACKER);
  attackers.push(socket);
  return socket;
}

/** Connections that send a byte a second, and some that send nothing. */
function writeSlowly() {
  const open = () => Array.from({ length: 250 }, () => connectFrom(SLOW_WRITER));
  const [heads, bodies, silent] = [open(), open(), open()];
  for (const socket of heads) socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  for (const socket of bodies)
    socket.write(
      "POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    );
  const dripping = setInterval(() => {
    for (const socket of [...heads, ...bodies]) if (!socket.destroyed) socket.write("a");
  }, 1_000);
  return {
    withoutHead: [...heads, ...silent],
    withoutBody: bodies,
    stop() {
      clearInterval(dripping);
      for (const socket of [...heads, ...bodies, ...silent]) socket.destroy();
    },
  };
}

/** Sends a request from an address, without keep-alive. Returns the status. */
async function ask(
  path: string,
  { from, body, headers }: { from?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  const { port } = new URL(server.url);
  const request = httpRequest({
    port,
    host: "127.0.0.1",
    path,
    method: body === undefined ? "GET" : "POST",
    agent: false,
    headers: {
      host: new URL(server.url).host,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(from === undefined ? {} : { localAddress: from }),
  });
  request.end(body);
  const [response] = await once(request, "response");
  let text = "";
  for await (const part of response) text += part;
  return { status: response.statusCode, text };
}

/** Another customer, who reads the list, places an order and subscribes to it. */
async function othersAreServed(): Promise<void> {
  expect((await ask(paths.items)).status).toBe(200);
  expect((await ask("/")).status).toBe(200);
  const placed = await ask(paths.orders, {
    body: JSON.stringify(anOrder()),
    from: anotherAddress(),
  });
  expect(placed.status).toBe(201);
  const socket = new WebSocket(
    `${server.url.replace("http", "ws")}${paths.orderStream}?order_id=${JSON.parse(placed.text).id}&contract_id=c`,
    { origin: server.url },
  );
  await once(socket, "open");
  socket.terminate();
}

let addresses = 0;
function anotherAddress(): string {
  addresses += 1;
  return `127.0.1.${addresses}`;
}

const needs = "Linux, where one machine has many addresses";
describe.runIf(canAttack)(
  "one address cannot make the shop unavailable to others",
  { meta: { needs } },
  () => {
    let slowly: ReturnType<typeof writeSlowly>;
    // It takes half a minute: the other tests run in it.
    beforeAll(async () => {
      slowly = writeSlowly();
      await othersAreServed();
    });
    afterAll(() => slowly.stop());

    test("with 2,000 idle connections: only 1,000 are accepted", async () => {
      const sockets: Socket[] = [];
      while (sockets.length < 2_000) {
        const some = Array.from({ length: 250 }, attack);
        await Promise.all(
          some.map(
            (socket) =>
              new Promise((resolve) => socket.once("connect", resolve).once("close", resolve)),
          ),
        );
        // A connection without a request is closed after ten seconds.
        for (const socket of some) socket.write("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
        sockets.push(...some);
      }
      await waitFor(
        "1,000 to be closed",
        () => sockets.filter(({ closed }) => closed).length === 1_000,
      );
      await othersAreServed();
      expect((await ask(paths.items, { from: ATTACKER }).catch(() => "closed")) === "closed").toBe(
        true,
      );
      for (const socket of sockets) socket.destroy();
      await waitFor("it to be served again", () =>
        ask(paths.items, { from: ATTACKER }).catch(() => false),
      );
    });

    test("with 1,000 sockets of the order stream: only 200 are accepted", async () => {
      const { port } = new URL(server.url);
      const url = `ws://127.0.0.1:${port}${paths.orderStream}?order_id=none&contract_id=c`;
      const sockets: WebSocket[] = [];
      let refused = 0;
      const AT_ONCE = 250;
      for (let tried = 0; tried < 1_000; tried += AT_ONCE) {
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            const socket = new WebSocket(url, { origin: server.url, localAddress: ATTACKER });
            socket.on("error", () => {});
            socket.on("unexpected-response", (_request, response) => {
              if (response.statusCode === 429) refused += 1;
              socket.terminate();
            });
            sockets.push(socket);
            await new Promise((resolve) => socket.once("open", resolve).once("close", resolve));
          }),
        );
      }
      expect(sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)).toHaveLength(200);
      expect(refused).toBe(800);
      await othersAreServed();
      for (const socket of sockets) socket.terminate();
    });

    test("with 2,000 orders: 30 a minute are accepted, the rest is answered 429", async () => {
      const begun = Date.now();
      const statuses = new Map<number, number>();
      const body = JSON.stringify(anOrder());
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let count = 0; count < 100; count += 1) {
            const { status } = await ask(paths.orders, { from: ATTACKER, body });
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        }),
      );
      const minutes = 2 + Math.floor((Date.now() - begun) / 60_000); // Even a short test can span two calendar minutes.
      expect(statuses.get(201)).toBeGreaterThanOrEqual(30);
      expect(statuses.get(201)).toBeLessThanOrEqual(30 * minutes);
      expect((statuses.get(201) ?? 0) + (statuses.get(429) ?? 0)).toBe(2_000);
      await othersAreServed();
    });

    test("by sending requests without reading answers: the connection is closed", async () => {
      const request = `GET ${paths.items} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(2_000);
      const sockets = Array.from({ length: 50 }, () => {
        const socket = attack();
        socket.pause();
        socket.write(request);
        return socket;
      });
      await othersAreServed();
      for (const socket of sockets) socket.resume();
      await waitFor("all to be closed", () => sockets.every(({ closed }) => closed));
    });

    test.each([
      ["many headers", "X-Flood: y\r\n".repeat(20_000)],
      ["a long header", `X-Flood: ${"y".repeat(1_000_000)}\r\n`],
    ])("with %s: the answer is 431, and the connection is closed", async (_, flood) => {
      const sockets = Array.from({ length: 50 }, () => {
        const socket = attack();
        let received = "";
        socket.on("data", (data) => {
          received += data;
        });
        socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${flood}\r\n`);
        return { socket, received: () => received };
      });
      await waitFor("all to be closed", () => sockets.every(({ socket }) => socket.closed));
      // If the client still sends when the connection is closed, it may lose the answer.
      const answers = sockets.map(({ received }) => received()).filter((answer) => answer !== "");
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 431 /);
      await othersAreServed();
    });

    test("by writing slowly: headers may take 10 seconds, a whole request 30", {
      timeout: 90_000,
    }, async () => {
      await waitFor(
        "those without a head to be closed",
        () => slowly.withoutHead.every(({ closed }) => closed),
        30_000,
      );
      await waitFor(
        "all to be closed",
        () => slowly.withoutBody.every(({ closed }) => closed),
        60_000,
      );
    });
  },
);

test("a client that is still sending a body over the limit always receives 413", async () => {
  const body = "x".repeat(10_000_000);
  for (let tries = 0; tries < 10; tries += 1) {
    const response = await fetch(server.url + paths.orders, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "too_large" });
  }
});
