import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { anAddress, anOrder } from "../harness/builders.ts";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds, type TestDatabase } from "../harness/databases.ts";
import { startSandbox } from "../harness/sandbox.ts";
import { type Started, startServer } from "../harness/server-process.ts";
import { testLength } from "../harness/test-length.ts";
import { useResource } from "../harness/use-resource.ts";
import { arbitraryOf, type Operation, operationsOf } from "./from-schema.ts";
import {
  changed,
  hostileText,
  hostileTexts,
  hostileValue,
  placesIn,
  spoil,
  spoilings,
} from "./hostile.ts";
import { type Answer, type Input, send, sendBytes } from "./wire.ts";

/** One of so many inputs is sent: all of them with `npm run test:fuzz`. */
const SENT_SHARE = testLength(8, 1);
/**
 * Together with the pop-up's messages (`apps/storefront/…/widget-protocol.test.ts`) the long form
 * has 20,000 inputs.
 */
const RUNS = { bodies: 2_500, paths: 2_000, headers: 1_000, texts: 750, bytes: 150, sockets: 500 };
const command = SENT_SHARE === 1 ? "npm run test:fuzz" : "npx vitest run --project fuzz";
const firstSeed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31 - 1));
console.log(`seed ${firstSeed}: FUZZ_SEED=${firstSeed} ${command}`);
const TOKEN = "the-admin-token-of-the-fuzzing";
/** The limit for the processor time of one answer, in seconds. */
const MOST_CPU = 0.1;
/** The number of inputs that are timed together, because each measurement takes time too. */
const TIMED_TOGETHER = 20;

/** Internal details that no answer may contain. */
const inside =
  /\bat .+\.[cm]?[jt]s:\d+|node_modules|SQLITE_|\bsyntax error at\b|\binsert into\b|\bselect .+ from\b|violates|TypeError|RangeError/i;

describe.each(databaseKinds)("on $name, no input", ({ name, newShopDatabase }) => {
  // Each database gets inputs of its own.
  const seed = name === "SQLite" ? firstSeed : firstSeed + 1;
  const sandbox = useResource(() => startSandbox());
  let testDatabase: TestDatabase;
  let server: Started;
  let operations: Operation[];
  let orderId: string;
  let orderKey: string;
  beforeAll(async () => {
    testDatabase = await newShopDatabase();
    server = await startServer({
      cwd: sandbox.folder,
      databaseUrl: testDatabase.url,
      provider: sandbox,
      env: {
        ADMIN_TOKEN: TOKEN,
        METRICS_TOKEN: TOKEN,
        RATE_LIMIT_SOCKETS: "1000000",
        LOG_LEVEL: "warn",
        // Otherwise the shop would connect to the mail servers of requests that set one.
        SMTP_URL: "smtp://127.0.0.1:1",
      },
    });
    operations = operationsOf(await (await fetch(`${server.url}/api/openapi.json`)).json());
    ({ id: orderId, key: orderKey } = await placeOrder(server));
    // Warm-up, so that code which is loaded on first use does not count for the first input.
    for (const path of ["/", "/api/me", "/readyz", "/metrics"])
      await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  });
  afterAll(async () => {
    await server.end();
    await testDatabase.remove();
  });

  const headersFor = (isStaff: boolean): Record<string, string> =>
    isStaff ? { authorization: `Bearer ${TOKEN}`, "order-key": orderKey } : {};

  function expectCalm(input: Input, answer: Answer): void {
    const about = `${JSON.stringify(input).slice(0, 500)} → ${JSON.stringify(answer).slice(0, 500)}`;
    expect(answer.status, about).toBeGreaterThanOrEqual(200);
    expect(answer.status, about).toBeLessThan(500);
    const sent = String(input.body ?? "") + input.path;
    if (!inside.test(sent)) expect(answer.body, about).not.toMatch(inside);
    if (answer.status >= 400) expect(answer.type, about).toMatch(/^application\/problem\+json/);
  }

  async function processorTime(): Promise<number> {
    const { body } = await send(server.url, {
      method: "GET",
      path: "/metrics",
      headers: headersFor(true),
    });
    return Number(/^process_cpu_seconds_total (.+)$/m.exec(body)?.[1]);
  }

  async function timeOf(input: Input): Promise<number> {
    const before = await processorTime();
    await send(server.url, input);
    return (await processorTime()) - before;
  }

  let group: Input[] = [];
  /** The processor time before the first input of the group. */
  let begun = 0;
  /**
   * Sends an input; after every group of inputs, measures the processor time that the group has
   * taken.
   */
  async function trySending(input: Input): Promise<void> {
    if (group.length === 0) begun = await processorTime();
    group.push(input);
    expectCalm(input, await send(server.url, input));
    if (group.length < TIMED_TOGETHER) return;
    const timed = group;
    group = [];
    if ((await processorTime()) - begun < MOST_CPU) return;
    for (const one of timed) {
      // Measured twice, because a garbage collection may run during the first.
      const least = Math.min(await timeOf(one), await timeOf(one));
      expect(least, JSON.stringify(one).slice(0, 500)).toBeLessThan(MOST_CPU);
    }
  }

  function fuzz<T>(
    input: fc.Arbitrary<T>,
    runs: number,
    attempt: (value: T) => Promise<void>,
  ): Promise<void> {
    const numRuns = Math.ceil(runs / SENT_SHARE);
    return fc.assert(fc.asyncProperty(input, attempt), { numRuns, endOnFailure: true, seed });
  }

  test("as the body of any operation causes a server error or a slow answer", async () => {
    const withBody = operations.filter(({ body }) => body !== undefined);
    expect(withBody.length).toBeGreaterThanOrEqual(5);
    const input = fc.constantFrom(...withBody).chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        body: operation.path.endsWith("/api/orders")
          ? fc.oneof(arbitraryOf(operation.body), fc.constant(anOrder()))
          : arbitraryOf(operation.body),
        ways: spoilings,
        id: fc.oneof(fc.constantFrom("moka-pot", orderId.slice(0, 8), orderId), hostileText),
      }),
    );
    await fuzz(input, RUNS.bodies, async ({ operation, body, ways, id }) => {
      await trySending({
        method: operation.method,
        path: operation.path.replace("{id}", encodeURIComponent(id.toWellFormed())),
        headers: { ...headersFor(true), "content-type": "application/json" },
        body: JSON.stringify(spoil(body, ways)) ?? "",
      });
    });
  });

  test("with a zero byte in an id or a cursor causes a server error", async () => {
    const encoded = (...parts: unknown[]) =>
      Buffer.from(JSON.stringify(parts)).toString("base64url");
    const zero = "\0";
    const ids = ["%00", "a%00b", encoded(zero, zero, zero), encoded("a", `b${zero}`, "c")];
    const cursors = ["%00", encoded(1, zero, zero, zero), encoded(1, "a", "b", `c${zero}`)];
    const targets = operations.flatMap(({ method, path, body }) =>
      path.includes("{id}")
        ? ids.map((id) => ({ method, body, path: path.replace("{id}", id) }))
        : cursors.map((cursor) => ({ method, body, path: `${path}?cursor=${cursor}` })),
    );
    for (const { method, body, path } of targets) {
      const bodies =
        body === undefined ? [undefined] : fc.sample(arbitraryOf(body), { numRuns: 5, seed });
      for (const one of bodies) {
        const input = {
          method,
          path,
          headers: {
            ...headersFor(true),
            ...(one === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(one === undefined ? {} : { body: JSON.stringify(one) }),
        };
        expectCalm(input, await send(server.url, input));
      }
    }
  });

  test("in one place of an otherwise valid request causes a server error or a slow answer", async () => {
    const item = {
      name: "Mug",
      description: "A mug.",
      price: 12.5,
      image_url: "/pictures/moka-pot.svg",
    };
    const requests: [method: string, path: string, id: string, body: unknown][] = [
      ["POST", "/api/orders", "", anOrder()],
      ["PUT", "/api/admin/items/{id}", "mug", item],
      ["PATCH", "/api/admin/items/{id}", "moka-pot", item],
      ["POST", "/api/admin/items/import", "", { items: [{ id: "mug", ...item }] }],
      ["PATCH", "/api/orders/{id}", orderId, { shipping_address: anAddress() }],
      ["POST", "/api/admin/orders/{id}/transitions", orderId, { to: "Pending", reason: "why not" }],
    ];
    let number = seed;
    for (const [method, path, id, body] of requests) {
      for (const text of hostileTexts) {
        const bodies = [
          body,
          ...placesIn(body).map((place) => changed(body, place, { value: text })),
        ];
        for (const [index, spoilt] of bodies.entries()) {
          number += 1;
          if (number % SENT_SHARE !== 0) continue;
          await trySending({
            method,
            path: path.replace("{id}", encodeURIComponent(index === 0 ? text.toWellFormed() : id)),
            headers: { ...headersFor(true), "content-type": "application/json" },
            body: JSON.stringify(spoilt),
          });
        }
      }
    }
  });

  const paths = [
    "/",
    "/checkout",
    "/order/1/2",
    "/assets/x.js",
    "/pictures/moka-pot.svg",
    "/favicon.svg",
    "/robots.txt",
    "/livez",
    "/readyz",
    "/metrics",
    "/api/openapi.json",
    "/api",
    "/api/",
    "//api/items",
    "/api/nothing",
  ];
  const method = fc.constantFrom(
    "GET",
    "GET",
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "PROPFIND",
  );

  test("as a path, a query or a method causes a server error or a slow answer", async () => {
    const known = [...paths, ...operations.map(({ path }) => path)];
    const escaped = fc.oneof(
      hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        "%",
        "%00",
        "%ff",
        "%2e%2e%2f",
        "%c0%ae",
        "..",
        ".",
        "%252e",
        "a%0d%0ab",
        "%u0000",
        "~!$&'()*+,;=",
      ),
    );
    const input = fc.record({
      method,
      path: fc.constantFrom(...known),
      id: escaped,
      tail: fc.option(escaped, { nil: undefined }),
      query: fc.array(
        fc.tuple(fc.oneof(fc.constantFrom("status", "cursor", "order_id"), escaped), escaped),
        {
          maxLength: 4,
        },
      ),
      isStaff: fc.boolean(),
    });
    await fuzz(input, RUNS.paths, async ({ method, path, id, tail, query, isStaff }) => {
      const target = `${path.replace("{id}", id)}${tail === undefined ? "" : `/${tail}`}`;
      const search = query.map(([name, value]) => `${name}=${value}`).join("&");
      if (!/^[\x21-\x7e]+$/.test(target + search)) return;
      await trySending({
        method,
        path: search === "" ? target : `${target}?${search}`,
        headers: headersFor(isStaff),
      });
    });
  });

  test("in the headers causes a server error or a slow answer", async () => {
    const names = [
      "idempotency-key",
      "order-key",
      "accept-encoding",
      "if-none-match",
      "authorization",
      "content-type",
      "range",
      "origin",
      "x-forwarded-for",
      "x-forwarded-host",
      "forwarded",
      "cookie",
      "accept",
      "if-modified-since",
      "te",
    ];
    const value = hostileText.map((text) =>
      Buffer.from(text)
        .toString("latin1")
        .replace(/[^\x20-\x7e\x80-\xff]/g, "x")
        .trim(),
    );
    const input = fc.record({
      path: fc.constantFrom(
        ...paths,
        "/api/items",
        "/api/orders",
        `/api/orders/${orderId}`,
        "/api/me",
        "/api/admin/orders",
      ),
      post: fc.boolean(),
      headers: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 }),
    });
    await fuzz(input, RUNS.headers, async ({ path, post, headers }) => {
      const body = post ? JSON.stringify(anOrder()) : undefined;
      await trySending({
        method: post ? "POST" : "GET",
        path,
        headers: { ...(post ? { "content-type": "application/json" } : {}), ...headers },
        body,
      });
    });
  });

  test("in place of JSON causes a server error or a slow answer", async () => {
    const whole = JSON.stringify(anOrder());
    const body = fc.oneof(
      fc.nat({ max: whole.length }).map((length) => Buffer.from(whole.slice(0, length))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.nat({ max: 20_000 }).map((depth) => Buffer.from("[".repeat(depth))),
      fc
        .nat({ max: 5_000 })
        .map((depth) => Buffer.from(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)),
      fc
        .tuple(hostileValue, fc.nat({ max: whole.length }))
        .map(([value, at]) =>
          Buffer.from(`${whole.slice(0, at)}${JSON.stringify(value) ?? ""}${whole.slice(at)}`),
        ),
      fc.constantFrom(
        Buffer.from('{"__proto__":{"polluted":true}}'),
        Buffer.from('{"constructor":{"prototype":{"polluted":true}}}'),
        Buffer.from(`{"items":[${'{"item_id":"moka-pot","quantity":1},'.repeat(1_500)}{}]}`),
        Buffer.from(`\ufeff${whole}`),
        Buffer.from(`{"customer_email":"${"a@".repeat(20_000)}"}`),
        Buffer.alloc(70_000, "x"),
      ),
    );
    const type = fc.constantFrom(
      "application/json",
      "application/json",
      "application/json; charset=utf-16",
      "text/plain",
      "text/html",
      "a",
      "",
    );
    await fuzz(
      fc.record({ body, type, path: fc.constantFrom("/api/orders", "/api/admin/items/import") }),
      RUNS.texts,
      async ({ body, type, path }) => {
        await trySending({
          method: "POST",
          path,
          headers: { ...headersFor(true), "content-type": type },
          body,
        });
      },
    );
  });

  test("that is not HTTP crashes the server", async () => {
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          "GET / HTTP/9.9\r\n\r\n",
          "GET /\r\n\r\n",
          "GET  / HTTP/1.1\r\n\r\n",
          " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
          "GET / HTTP/1.1\r\n\r\n",
          "POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET",
          "POST /api/orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
          `GET / HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(5_000)}\r\n`,
          `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
          `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
        )
        .map((text) => Buffer.from(text)),
    );
    await fuzz(line, RUNS.bytes, async (bytes) => {
      const received = await sendBytes(server.url, bytes);
      expect(received).not.toMatch(/^HTTP\/1\.1 5/);
      expect(received).not.toMatch(inside);
    });
  });

  test("over a socket crashes the server or is answered with an order", async () => {
    const id = hostileText.map((text) => encodeURIComponent(text.toWellFormed()));
    const frame = fc.oneof(
      hostileText,
      fc.uint8Array({ maxLength: 6_000 }).map((bytes) => Buffer.from(bytes)),
    );
    const input = fc.record({
      order: fc.oneof(id, fc.constant(orderId)),
      contract: id,
      more: fc.constantFrom("", "&order_id=x", "&contract_id=", "&key=x", "&", "#"),
      origin: fc.oneof(fc.constant(server.url), fc.constant(server.url), hostileText),
      frames: fc.array(frame, { maxLength: 5 }),
    });
    await fuzz(input, RUNS.sockets, async ({ order, contract, more, origin, frames }) => {
      const query = `?order_id=${order}&contract_id=${contract}${more}`;
      const header = Buffer.from(origin)
        .toString("latin1")
        .replace(/[^\x20-\x7e]/g, "x");
      const received = await converse(
        `${server.url.replace("http", "ws")}/api/ws/order-status${query}`,
        header,
        frames,
      );
      expect(received.refused ?? 101).toBeLessThan(500);
      for (const message of received.messages) {
        expect(message).toMatch(
          /^\{"type":"error","data":\{"kind":"(?:OrderNotFound|ContractNotFound|ConnectionError)"\}\}$/,
        );
      }
    });
  });

  test("makes the server unready or damages its database", async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    // Some input may have hidden or sold out any other item, which the admin token allows.
    const added = await send(server.url, {
      method: "PUT",
      path: "/api/admin/items/after-the-fuzzing",
      headers: { ...headersFor(true), "content-type": "application/json" },
      body: JSON.stringify({
        name: "Mug",
        description: "A mug.",
        price: 12.5,
        image_url: "/pictures/moka-pot.svg",
      }),
    });
    expect(added.status).toBe(200);
    const items = [{ item_id: "after-the-fuzzing", quantity: 2 }];
    expect((await placeOrder(server, { items })).total_price).toBe(25);
    const errors = server
      .output()
      .split("\n")
      .filter((line) => /"level":(?:50|60)/.test(line))
      // An input may set a sender: then the shop tries to send emails.
      .filter((line) => !line.includes("the mail server is not accepting email"));
    expect(errors).toEqual([]);
    expect(server.child.exitCode).toBeNull();
    await testDatabase.checkIntegrity();
  });
});

/** Opens a socket, sends messages, and collects answers until none arrives for a moment. */
function converse(url: string, origin: string, frames: readonly (string | Buffer)[]) {
  const QUIET = 15;
  return new Promise<{ refused: number | undefined; messages: string[] }>((resolve) => {
    const messages: string[] = [];
    let refused: number | undefined;
    const socket = new WebSocket(url, { origin });
    socket.on("message", (data) => messages.push(String(data)));
    socket.on("unexpected-response", (_request, response) => {
      refused = response.statusCode;
      socket.terminate();
    });
    socket.on("open", () => {
      for (const frame of frames) socket.send(frame);
      setTimeout(() => socket.terminate(), QUIET);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve({ refused, messages }));
  });
}
