import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SubscribeRequest } from "./order-stream.ts";
import { type OrderSockets, serveOrderSockets } from "./sockets.ts";
import { SubscriberSocket } from "./subscriber-socket.ts";

const PING_INTERVAL = 60_000;
let server: Server;
let sockets: OrderSockets;
/** The records of the current test. Sockets of the previous test may still be closing. */
let seen: { requests: SubscribeRequest[]; refused: string[]; left: number };
let clients: Socket[];
/** The address of the clients. */
let address: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const own: typeof seen = { requests: [], refused: [], left: 0 };
  seen = own;
  clients = [];
  address = "2001:db8:1:2::3";
  server = createServer();
  sockets = serveOrderSockets(server, {
    stream: {
      subscribe(request) {
        own.requests.push(request);
        return () => {
          own.left += 1;
        };
      },
    },
    publicUrl: "http://shop.example",
    limit: async () => undefined,
    checkKey: async () => ({ kind: "right" }),
    onRefused: (kind, network) => own.refused.push(`${kind} ${network}`),
    maxPerAddress: 1,
    addressOf: () => address,
    pingInterval: PING_INTERVAL,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await sockets.close();
  server.close();
  vi.useRealTimers();
});

/**
 * A client that has requested a socket, and all bytes that it received after the response's head.
 */
async function ask() {
  const listening = server.address();
  if (listening === null || typeof listening === "string")
    throw new Error("the server does not listen");
  const client = connect(listening.port, "127.0.0.1").on("error", () => {});
  clients.push(client);
  let bytes = Buffer.alloc(0);
  client.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  client.write(
    "GET /api/ws/order-status?order_id=AB&contract_id=Cd&key=k HTTP/1.1\r\nHost: a\r\nOrigin: http://shop.example\r\n" +
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const end = () => bytes.indexOf("\r\n\r\n") + 4;
  while (end() < 4) await once(client, "data");
  const head = bytes.subarray(0, end()).toString();
  return { client, head, frames: () => [...bytes.subarray(end())] };
}

const PING = [0x89, 0];
const CLOSE_GOING_AWAY = [0x88, 2, 1001 >> 8, 1001 & 0xff];
const CLOSE_POLICY = [0x88, 2, 1008 >> 8, 1008 & 0xff];
const frame = (first: number, length = 0) =>
  length < 126
    ? [first, 0x80 | length, 0, 0, 0, 0, ...Buffer.alloc(length)]
    : [first, 0xfe, length >> 8, length & 0xff, 0, 0, 0, 0, ...Buffer.alloc(length)];
const times = (count: number, one: readonly number[]) =>
  Buffer.from(Array.from({ length: count }, () => one).flat());

/** Waits until the server has read everything written before: then it answers a ping. */
async function isRead(client: Socket, frames: () => number[]): Promise<void> {
  const before = frames().length;
  client.write(Buffer.from(frame(0x89)));
  while (frames().length === before && seen.left === 0) await new Promise(setImmediate);
}

test("the subscription ends when the socket closes", async () => {
  const { client, head } = await ask();
  expect(head).toMatch(/^HTTP\/1.1 101 /);
  expect(seen.requests).toEqual([{ orderId: "ab", loanId: "Cd", holdsKey: true }]);
  client.destroy();
  while (seen.left === 0) await new Promise(setImmediate);
  expect(seen.left).toBe(1);
});

test("the timer for refused requests does not disconnect a subscriber", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  const { client, frames } = await ask();
  vi.advanceTimersByTime(10_000);
  await isRead(client, frames);
  expect(seen.left).toBe(0);
});

test("a network at its limit of open sockets is refused, and the refusal is reported", async () => {
  const first = await ask();
  expect((await ask()).head).toMatch(/^HTTP\/1.1 429 /);
  expect(seen.refused).toEqual(["open-sockets 2001:db8:1:2"]);
  first.client.destroy();
  while (seen.left === 0) await new Promise(setImmediate);
  expect((await ask()).head).toMatch(/^HTTP\/1.1 101 /);
});

test("a subscriber that does not answer a ping is disconnected at the next", async () => {
  const heard = vi.spyOn(SubscriberSocket.prototype, "emit");
  const pongs = () => heard.mock.calls.filter(([event]) => event === "pong").length;
  const { client, frames } = await ask();
  for (let beat = 1; beat <= 3; beat += 1) {
    vi.advanceTimersByTime(PING_INTERVAL);
    while (frames().length < PING.length * beat) await new Promise(setImmediate);
    expect(frames()).toEqual(Array.from({ length: beat }, () => PING).flat());
    client.write(Buffer.from(frame(0x8a)));
    while (pongs() < beat) await new Promise(setImmediate);
  }
  vi.advanceTimersByTime(PING_INTERVAL);
  await new Promise(setImmediate);
  expect(seen.left).toBe(0);
  vi.advanceTimersByTime(PING_INTERVAL);
  while (seen.left === 0) await new Promise(setImmediate);
});

test.each([
  ["pongs", frame(0x8a)],
  ["messages", frame(0x82)],
])(
  "a subscriber may send 20 frames between two pings, such as %s, and is disconnected at the next",
  async (_, one) => {
    const { client, frames } = await ask();
    client.write(times(19, one));
    await isRead(client, frames);
    expect(seen.left, "19 and a ping").toBe(0);
    client.write(Buffer.from(one));
    while (seen.left === 0) await new Promise(setImmediate);
    while (!client.destroyed) await new Promise(setImmediate);
    expect(frames().slice(-4)).toEqual(CLOSE_POLICY);
  },
);

test("each ping resets the limits of a subscriber", async () => {
  const { client, frames } = await ask();
  const much = Buffer.concat([times(16, frame(0x8a)), times(2, frame(0x82, 1_024))]);
  client.write(much);
  await isRead(client, frames);
  vi.advanceTimersByTime(PING_INTERVAL);
  client.write(much);
  await isRead(client, frames);
  expect(seen.left).toBe(0);
});

test("a subscriber may send 4 KiB between two pings, and is disconnected at the next byte", async () => {
  const { client, frames } = await ask();
  // Three frames of 1,024 bytes with their headers, and one that leaves room only for an empty
  // ping.
  const fill = 4 * 1_024 - 3 * (1_024 + 8) - 8 - 6;
  for (let beat = 0; beat < 2; beat += 1) {
    vi.advanceTimersByTime(PING_INTERVAL * beat);
    client.write(Buffer.concat([times(3, frame(0x82, 1_024)), times(1, frame(0x82, fill))]));
    await isRead(client, frames);
    expect(seen.left).toBe(0);
  }
  client.write(Buffer.from(frame(0x8a)));
  while (seen.left === 0) await new Promise(setImmediate);
});

test("a frame of more than 1 KiB is refused", async () => {
  const { client } = await ask();
  client.write(Buffer.from(frame(0x82, 1_025)));
  while (seen.left === 0) await new Promise(setImmediate);
});

test("a socket that is opened while the others are being closed is closed too, and no timer is left", async () => {
  address = "203.0.113.1";
  const first = await ask();
  const closing = sockets.close(1_000);
  address = "203.0.113.2";
  const second = await ask();
  expect(second.head).toMatch(/^HTTP\/1.1 101 /);
  vi.advanceTimersByTime(1_000);
  await closing;
  for (const { frames } of [first, second])
    while (frames().length === 0) await new Promise(setImmediate);
  expect([first.frames(), second.frames()]).toEqual([CLOSE_GOING_AWAY, CLOSE_GOING_AWAY]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [0, 1],
  [0.999, 5],
])(
  "a request while the server closes is answered with Retry-After of 1 to 5 seconds (%d: %d)",
  async (random, seconds) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    await sockets.close();
    expect((await ask()).head).toMatch(
      new RegExp(`^HTTP/1.1 503 .*\r\nRetry-After: ${seconds}\r\n`, "s"),
    );
  },
);
