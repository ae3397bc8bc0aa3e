import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect as connectTo, type Socket } from "node:net";
import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Subscriber } from "./room.ts";
import { type OrderSockets, serveOrderSockets } from "./sockets.ts";
import { SubscriberSocket } from "./subscriber-socket.ts";

let server: Server;
let sockets: OrderSockets;
let subscribers: Subscriber[];
let left: number;
let limit: () => Promise<number | undefined>;
/** How many sockets may be opened in one test before others are queued. */
const BURST = 10;

beforeEach(() => start());

async function start(): Promise<void> {
  subscribers = [];
  left = 0;
  limit = async () => undefined;
  server = createServer();
  sockets = serveOrderSockets(server, {
    stream: {
      subscribe(_request, subscriber) {
        subscribers.push(subscriber);
        return () => {
          left += 1;
        };
      },
    },
    publicUrl: "http://shop.example",
    limit: () => limit(),
    checkKey: async () => ({ kind: "wrong" }),
    onRefused() {},
    maxPerAddress: 3,
    pace: { perSecond: 0.001, burst: BURST, maxWaiting: 1 },
    addressOf: () => "127.0.0.1",
    pingInterval: 60_000,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}
afterEach(async () => {
  await sockets.close();
  server.close();
});

const path = "/api/ws/order-status?order_id=1&contract_id=2";

function port(): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen");
  return address.port;
}

async function connect(query = ""): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}${query}`, {
    origin: "http://shop.example",
  });
  await once(socket, "open");
  return socket;
}

/** A subscriber that sends raw bytes. */
async function connectRaw(): Promise<Socket> {
  const socket = connectTo(port(), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      "Host: shop.example",
      "Origin: http://shop.example",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "\r\n",
    ].join("\r\n"),
  );
  await once(socket, "data");
  return socket.resume();
}

const megabyte = Buffer.alloc(1024 * 1024, "x");

/** Sends until the subscriber is disconnected, or more than an operating system buffers. */
async function sendMuch(): Promise<void> {
  for (let sent = 0; sent < 100 && left === 0; sent += 1) {
    subscribers[0]?.deliver(megabyte);
    await new Promise(setImmediate);
  }
}

test("an address at its limit of open sockets can open another when one is closed", async () => {
  const open = [await connect(), await connect(), await connect()];
  await expect(connect()).rejects.toThrow(/429/);
  open[0]?.terminate();
  while (left === 0) await new Promise(setImmediate);
  open.push(await connect());
  await expect(connect()).rejects.toThrow(/429/);
  for (const socket of open) socket.terminate();
  while (left < 4) await new Promise(setImmediate);
});

test("a full queue is answered with Retry-After, and close refuses all queued clients", async () => {
  for (let count = 0; count < BURST; count += 1) {
    const socket = await connect();
    socket.terminate();
    while (left === count) await new Promise(setImmediate);
  }
  const waiting = connect();
  const refused = expect(connect()).rejects.toThrow(/503/);
  await Promise.race([refused, waiting]);
  await refused;
  const rejection = expect(waiting).rejects.toThrow(/503/);
  sockets.close();
  await rejection;
});

test("a subscriber is sent heartbeats only if it requests them", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  sockets.close();
  server.close();
  await start();
  const sent = vi.spyOn(SubscriberSocket.prototype, "deliver");
  const asks = await connect("&heartbeat=1");
  expect(sent).toHaveBeenCalledOnce();
  const others = [await connect(), await connect("&heartbeat=0")];
  const heard = once(asks, "message");
  const silent = vi.fn();
  for (const other of others) other.on("message", silent);
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL * 1.5);
  expect(String(await heard)).toBe('{"type":"heartbeat"},false');
  // When this has arrived, earlier messages to the other sockets have arrived too.
  for (const [index, other] of others.entries()) {
    subscribers[index + 1]?.deliver(Buffer.from("an order"));
    await once(other, "message");
  }
  expect(silent.mock.calls.map(([message]) => String(message))).toEqual(["an order", "an order"]);
  vi.useRealTimers();
  sent.mockRestore();
  for (const socket of [asks, ...others]) socket.terminate();
});

test("close closes the subscribers' sockets one after another, and none is left", async () => {
  const open = [await connect(), await connect(), await connect()];
  const codes = open.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  await sockets.close(50);
  expect(await Promise.all(codes)).toEqual([1001, 1001, 1001]);
});

/** More bytes than any operating system buffers. */
const large = Buffer.alloc(64 * megabyte.length);
const upgradeTo = (target: string, key: string) =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nOrigin: http://shop.example\r\nConnection: Upgrade\r\n` +
  `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;

test.each([
  ["that is refused", upgradeTo("/nowhere", "dGhlIHNhbXBsZSBub25jZQ==")],
  ["that the protocol forbids", upgradeTo(path, "no key")],
  ["that would be accepted", upgradeTo(path, "dGhlIHNhbXBsZSBub25jZQ==")],
])(
  "a request for a socket behind an unread response, %s, closes the connection",
  async (_, request) => {
    server.on("request", (_request, response) => response.end(large));
    const arrived = once(server, "connection");
    const client = connectTo(port(), "127.0.0.1").on("error", () => {});
    client.pause().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const [connection]: Socket[] = await arrived;
    while (!connection?.writableLength) await new Promise(setImmediate);
    client.write(request);
    while (!connection.destroyed) await new Promise(setImmediate);
    expect(subscribers).toEqual([]);
    client.destroy();
  },
);

const mask = [0, 0, 0, 0];
test.each<{ what: string; frame: number[]; first?: number[] }>([
  { what: "empty pongs", frame: [0x8a, 0x80, ...mask] },
  { what: "empty pings", frame: [0x89, 0x80, ...mask] },
  { what: "empty binary frames", frame: [0x82, 0x80, ...mask] },
  {
    what: "the empty parts of a frame",
    frame: [0x00, 0x80, ...mask],
    first: [0x02, 0x80, ...mask],
  },
  { what: "frames as large as may be", frame: [0x82, 0xfe, 4, 0, ...mask, ...Buffer.alloc(1024)] },
])(
  "a subscriber that sends $what is disconnected, and no more of its bytes are read",
  async ({ frame, first = [] }) => {
    const parsed = vi.spyOn(SubscriberSocket.prototype, "emit");
    const socket = await connectRaw();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(Buffer.from(first));
    const MANY = Math.floor(65_536 / frame.length);
    socket.write(Buffer.concat(Array.from({ length: MANY }, () => Buffer.from(frame))));
    await closed;
    while (left === 0) await new Promise(setImmediate);
    expect(parsed.mock.calls.length).toBeLessThan(1_000);
    parsed.mockRestore();
  },
);

test("a subscriber that answers every ping stays", async () => {
  const socket = await connectRaw();
  for (let count = 0; count < 20; count += 1) socket.write(Buffer.from([0x8a, 0x80, ...mask]));
  subscribers[0]?.deliver(Buffer.from("still there"));
  const [answer] = await once(socket, "data");
  expect(String(answer)).toContain("still there");
  expect(left).toBe(0);
  socket.destroy();
  while (left === 0) await new Promise(setImmediate);
});

test("a subscriber that does not read is disconnected", async () => {
  const socket = await connect();
  socket.pause();
  await sendMuch();
  expect(left).toBe(1);
  socket.terminate();
});

test("a subscriber that reads gets everything, whatever the amount", async () => {
  const socket = await connect();
  let heard = 0;
  socket.on("message", () => {
    heard += 1;
  });
  for (let sent = 1; sent <= 100; sent += 1) {
    subscribers[0]?.deliver(megabyte);
    while (heard < sent) await new Promise(setImmediate);
  }
  expect(left).toBe(0);
  socket.terminate();
});
