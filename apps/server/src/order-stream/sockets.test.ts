import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Follower } from "./channel.ts";
import { type OrderSockets, serveOrderSockets } from "./sockets.ts";

let server: Server;
let sockets: OrderSockets;
let followers: Follower[];
let left: number;

beforeEach(async () => {
  followers = [];
  left = 0;
  server = createServer();
  sockets = serveOrderSockets(server, {
    stream: {
      follow(_request, follower) {
        followers.push(follower);
        return () => {
          left += 1;
        };
      },
    },
    publicUrl: "http://shop.example",
    limit: async () => undefined,
    most: 3,
    addressOf: () => "127.0.0.1",
    heartbeat: 60_000,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  sockets.close();
  server.close();
});

async function connect(): Promise<WebSocket> {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  const socket = new WebSocket(
    `ws://127.0.0.1:${address.port}/api/ws/order-status?order_id=1&contract_id=2`,
    { origin: "http://shop.example" },
  );
  await once(socket, "open");
  return socket;
}

const megabyte = Buffer.alloc(1024 * 1024, "x");

/** Sends until the follower has left, but no more than what no machine keeps unread for it. */
async function sendMuch(): Promise<void> {
  for (let sent = 0; sent < 100 && left === 0; sent += 1) {
    followers[0]?.deliver(megabyte);
    await new Promise(setImmediate);
  }
}

test("an address may have so many sockets open at a time, and another when one is closed", async () => {
  const open = [await connect(), await connect(), await connect()];
  await expect(connect()).rejects.toThrow(/429/);
  open[0]?.terminate();
  while (left === 0) await new Promise(setImmediate);
  open.push(await connect());
  await expect(connect()).rejects.toThrow(/429/);
  for (const socket of open) socket.terminate();
  while (left < 4) await new Promise(setImmediate);
});

test("a follower that does not read is dropped", async () => {
  const socket = await connect();
  socket.pause();
  await sendMuch();
  expect(left).toBe(1);
  socket.terminate();
});

test("a follower that reads gets everything, however much it is", async () => {
  const socket = await connect();
  let heard = 0;
  socket.on("message", () => {
    heard += 1;
  });
  for (let sent = 1; sent <= 100; sent += 1) {
    followers[0]?.deliver(megabyte);
    while (heard < sent) await new Promise(setImmediate);
  }
  expect(left).toBe(0);
  socket.terminate();
});
