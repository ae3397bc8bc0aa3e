import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { destroyWhenSent, refuseUpgrade } from "../../platform/http/websocket.ts";
import type { CheckKeyOutcome } from "../orders/keys/check-order-key.ts";
import { decideUpgrade } from "./upgrade.ts";

const SHOP = "http://shop.example";

interface Situation {
  /** `undefined` for a client outside a browser. */
  readonly origin?: string | undefined;
  /** The wait in seconds that the rate limit of sockets returns. */
  readonly wait?: number;
  readonly verdict?: CheckKeyOutcome;
}

function decide(url: string, { wait, verdict = { kind: "right" }, ...from }: Situation = {}) {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  const { origin } = { origin: SHOP, ...from };
  if (origin !== undefined) request.headers.origin = origin;
  const limit = vi.fn(async () => wait);
  const checkKey = vi.fn(async () => verdict);
  const dependencies = { publicUrl: SHOP, limit, checkKey };
  return { limit, checkKey, decision: decideUpgrade(request, "203.0.113.7", dependencies) };
}
const stream = "/api/ws/order-status";
const most = "x".repeat(200);

test.each([
  ["an unreadable address", "http://[", { code: "malformed" }],
  ["another path", "/api/items", { code: "not_found" }],
  ["no id", stream, { errors: ["order_id is missing", "contract_id is missing, and so is key"] }],
  [
    "the order's id alone",
    `${stream}?order_id=1&contract_id=`,
    { errors: ["contract_id is missing, and so is key"] },
  ],
  ["a key alone", `${stream}?key=1`, { errors: ["order_id is missing"] }],
  [
    "an id that is too long",
    `${stream}?order_id=${most}y&contract_id=1`,
    { errors: ["order_id is too long"] },
  ],
])("a request with %s is refused and does not count", async (_, url, expected) => {
  const { decision, limit } = decide(url);
  const decided = await decision;
  if (decided.kind !== "refuse") throw new Error("it is accepted");
  const errors = decided.details?.errors?.map(({ path, message }) => `${path} ${message}`);
  expect({ code: decided.code, errors }).toMatchObject({ code: "malformed", ...expected });
  expect(limit).not.toHaveBeenCalled();
});

test.each(["contract_id=2", "key=k", "contract_id=2&key=k"])(
  "a page of another origin is refused: %s",
  async (ids) => {
    const { decision } = decide(`${stream}?order_id=1&${ids}`, { origin: "http://evil.example" });
    expect(await decision).toEqual({ kind: "refuse", code: "forbidden" });
  },
);

test("a client without Origin is accepted with a key, and refused with only a loan", async () => {
  const withKey = decide(`${stream}?order_id=1&key=k`, { origin: undefined });
  expect(await withKey.decision).toMatchObject({
    kind: "accept",
    request: { orderId: "1", holdsKey: true },
  });
  const without = decide(`${stream}?order_id=1&contract_id=2`, { origin: undefined });
  expect(await without.decision).toEqual({ kind: "refuse", code: "forbidden" });
});

test.each(["", "&contract_id=2"])(
  "a client without Origin is refused with a wrong key: %j",
  async (more) => {
    const verdict = { kind: "wrong" } as const;
    const { decision } = decide(`${stream}?order_id=1&key=k${more}`, {
      origin: undefined,
      verdict,
    });
    expect(await decision).toEqual({ kind: "refuse", code: "forbidden" });
  },
);

test("an address over its rate limit is answered with Retry-After", async () => {
  const { decision, limit } = decide(`${stream}?order_id=1&contract_id=2`, { wait: 7 });
  expect(await decision).toEqual({ kind: "refuse", code: "too_many", details: { retryAfter: 7 } });
  expect(limit).toHaveBeenCalledWith("203.0.113.7");
});

test.each([
  [`&contract_id=${most}`, { loanId: most, holdsKey: false, heartbeat: false }],
  [`&contract_id=${most}&key=Secret`, { loanId: most, holdsKey: true, heartbeat: false }],
  ["&key=Secret", { loanId: undefined, holdsKey: true, heartbeat: false }],
  ["&key=Secret&contract_id=", { loanId: undefined, holdsKey: true, heartbeat: false }],
  [`&contract_id=${most}&heartbeat=1`, { loanId: most, holdsKey: false, heartbeat: true }],
])("a request with the order's id and %j is accepted", async (more, { heartbeat, ...request }) => {
  const { decision, checkKey } = decide(`${stream}?order_id=AB${more}`);
  expect(await decision).toEqual({
    kind: "accept",
    request: { orderId: "ab", ...request },
    heartbeat,
  });
  if (request.holdsKey) expect(checkKey).toHaveBeenCalledWith("ab", "Secret", "203.0.113.7");
  else expect(checkKey).not.toHaveBeenCalled();
});

test.each(["", "&contract_id=1"])("a wrong key is ignored with the query %j", async (more) => {
  const { decision } = decide(`${stream}?order_id=ab&key=x${more}`, {
    verdict: { kind: "wrong" },
  });
  expect(await decision).toMatchObject({ kind: "accept", request: { holdsKey: false } });
});

test.each(["", "&contract_id=1"])(
  "an address that has sent too many wrong keys is refused with the query %j",
  async (more) => {
    const verdict = { kind: "too-many", retryAfter: 9 } as const;
    const { decision } = decide(`${stream}?order_id=ab&key=x${more}`, { verdict });
    expect(await decision).toEqual({
      kind: "refuse",
      code: "too_many",
      details: { retryAfter: 9 },
    });
  },
);

afterEach(() => {
  vi.useRealTimers();
});

/** A connection that records what is written to it, and may not drain. */
function newConnection({ takes = true } = {}) {
  let written = "";
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, taken) {
      written += chunk;
      if (takes) taken();
    },
  });
  return { socket, written: () => written };
}

test("a refusal is a complete HTTP response, after which the connection closes", async () => {
  const { socket, written } = newConnection();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  refuseUpgrade(socket, "too_many", { retryAfter: 7 });
  await closed;
  const [head = "", body = ""] = written().split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual([
    "HTTP/1.1 429 Too Many Requests",
    "Content-Type: application/problem+json",
    `Content-Length: ${body.length}`,
    "Cache-Control: no-store",
    "Connection: close",
    "Retry-After: 7",
  ]);
  expect(JSON.parse(body)).toMatchObject({ status: 429, code: "too_many" });
});

test.each([
  ["unavailable", /\r\nRetry-After: \d+\r\n/],
  ["not_found", /^HTTP\/1.1 404 Not Found(?!.*Retry-After)/s],
] as const)(
  "a refusal with %s has Retry-After only where a retry helps",
  async (code, expected) => {
    const { socket, written } = newConnection();
    refuseUpgrade(socket, code);
    await new Promise((resolve) => socket.once("close", resolve));
    expect(written()).toMatch(expected);
  },
);

test("a client that does not read its refusal is disconnected after a second", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { socket } = newConnection({ takes: false });
  refuseUpgrade(socket, "not_found");
  vi.advanceTimersByTime(999);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
  await new Promise((resolve) => socket.once("close", resolve));
});

test("behind an unread response a refusal closes the connection at once", () => {
  const { socket, written } = newConnection({ takes: false });
  socket.write("x");
  refuseUpgrade(socket, "not_found");
  expect(socket.destroyed).toBe(true);
  expect(written()).toBe("x");
});

test("a connection that has closed leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { socket } = newConnection();
  destroyWhenSent(socket);
  socket.destroy();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(vi.getTimerCount()).toBe(0);
});
