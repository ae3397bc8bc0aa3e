import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  type AdminMessage,
  adminMessageSchema,
  HEARTBEAT_INTERVAL,
  paths,
} from "@keepsats/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { Bus } from "../../platform/events/bus.ts";
import { createInProcessBus } from "../../platform/events/bus.ts";
import { sessionCookie } from "../staff/session-cookie.ts";
import type { SessionRow } from "../staff/session-repository.ts";
import { serveLiveSockets } from "./index.ts";

const ADMIN = "http://localhost:3002";
const session: SessionRow = {
  id: "session",
  staff_id: "ada",
  name: "Ada",
  email: null,
  role: "staff",
  browser: null,
  created_at: 1,
  used_at: 1,
};

let server: Server;
let live: ReturnType<typeof serveLiveSockets>;
let bus: Bus;
let isLive: () => boolean;
let faults: unknown[];
const clients = new Set<WebSocket>();

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  bus = createInProcessBus();
  faults = [];
  isLive = () => true;
  server = createServer();
  const onError = (error: unknown) => faults.push(error);
  const platform = { bus, onError, rereadInterval: 30_000 };
  live = serveLiveSockets(server, platform, {
    sessions: {
      find: async (...secrets) => (secrets.includes("right") ? session : undefined),
      openAmong: async (ids) => new Set(isLive() ? ids : []),
    },
    cookie: sessionCookie(ADMIN),
    adminUrl: ADMIN,
    cookieLimit: async () => undefined,
    addressOf: () => "1.2.3.4",
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  for (const client of clients) client.terminate();
  clients.clear();
  live.close();
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Opens a page; without `pong` it never answers a ping. */
function open({ pong = true } = {}) {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const client = new WebSocket(`ws://127.0.0.1:${port}${paths.auth.live}`, {
    origin: ADMIN,
    // Another program on this host has set a cookie with the same name.
    headers: { cookie: "admin-3002=wrong; admin-3002=right" },
    autoPong: pong,
  });
  clients.add(client);
  const messages: AdminMessage[] = [];
  client.on("message", (data) => messages.push(adminMessageSchema.parse(JSON.parse(String(data)))));
  client.on("error", () => {});
  let code: number | undefined;
  client.on("close", (given) => {
    code = given;
  });
  return { client, messages, closed: () => code };
}

/** Waits for the network and for promises, without advancing the fake timers. */
async function until(test: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100_000 && !test(); turn += 1) await new Promise(setImmediate);
  expect(test()).toBe(true);
}

test("a page gets a heartbeat every 15 seconds, and is dropped at the second ping without an answer", async () => {
  const [answers, silent] = [open(), open({ pong: false })];
  await until(() => answers.messages.length === 1 && silent.messages.length === 1);
  let pongs = 0;
  const beats = () => answers.messages.filter(({ type }) => type === "heartbeat").length;
  answers.client.on("ping", () => {
    pongs += 1;
  });
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  await until(() => beats() === 1 && pongs === 1);
  // The pong has gone out; the server must have read it before the next beat.
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  vi.advanceTimersByTime(HEARTBEAT_INTERVAL);
  await until(() => beats() === 2 && silent.closed() !== undefined);
  expect(silent.closed()).toBe(1006);
  expect(answers.closed()).toBeUndefined();
});

test("a socket of a session that ends during the handshake gets the close code and no ready", async () => {
  isLive = () => false;
  const page = open();
  await until(() => page.closed() !== undefined);
  expect(page.closed()).toBe(4001);
  expect(page.messages).toEqual([]);
});

test("sessions are read every 30 seconds, in case a message of the bus was lost", async () => {
  const page = open();
  await until(() => page.messages.length === 1);
  isLive = () => false;
  vi.advanceTimersByTime(29_999);
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  expect(page.closed()).toBeUndefined();
  vi.advanceTimersByTime(1);
  await until(() => page.closed() === 4001);
});

test("while the database is unavailable, open pages stay, and new ones get a code to retry", async () => {
  const page = open();
  await until(() => page.messages.length === 1);
  isLive = () => {
    throw new Error("the database is unavailable");
  };
  bus.publish({ topic: "sessions" });
  const next = open();
  await until(() => next.closed() !== undefined);
  expect(next.closed()).toBe(1011);
  expect(page.closed()).toBeUndefined();
  expect(faults.length).toBeGreaterThan(0);
});
