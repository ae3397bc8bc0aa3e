import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { paths } from "@keepsats/protocol";
import { newSqlite } from "./databases.ts";
import type { HttpLoadResult } from "./load/http-result.ts";
import { median } from "./measure.ts";
import { type Program, runLoad, startOurs } from "./programs.ts";
import type { Row } from "./row.ts";

const ROUNDS = 5;
const ATTACKER = "127.0.0.66";
const FLOODS = 60;
const FOLLOWERS = 200;
const CONNECTIONS = 1_000;
/** The rate limit for sockets per address and minute. */
const SOCKETS = 60;
/** The pause before a disconnected flood reconnects, in milliseconds. */
const BACK_AFTER = 1_000;

/** The response time of the list for a shopper, while one address causes as much load as it can. */
export async function abuse(): Promise<Row[]> {
  const database = await newSqlite();
  const ours = await startOurs({
    DATABASE_URL: database.url,
    TRUST_PROXY: "off",
    RATE_LIMIT_ORDERS: "30",
    RATE_LIMIT_SOCKETS: String(SOCKETS),
    MAX_SOCKETS_PER_ADDRESS: "200",
  });
  const shopper = async () => {
    const settings = { port: ours.port, connections: 1, seconds: 2, what: "/api/items" };
    return (await runLoad<HttpLoadResult>("http", settings)).p99;
  };
  const attacks: Record<string, (target: Program, round: number) => Promise<() => unknown>> = {
    "5,000 idle connections": idle,
    "500 that write slowly": slowWriters,
    "10 that place orders as fast as they are refused": floodOrders,
    [`${FLOODS} sockets that send empty pongs without end, beside ${FOLLOWERS} followers, and ${CONNECTIONS.toLocaleString("en")} connections that read no answer`]:
      floodSockets,
  };
  const rows: Row[] = [];
  for (const [what, attack] of Object.entries(attacks)) {
    const [quiet, attacked]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      quiet.push(await shopper());
      const end = await attack(ours, round);
      attacked.push(await shopper());
      await end();
    }
    const value = Number(median(quiet).toFixed(2));
    const measured = Number(median(attacked).toFixed(2));
    rows.push({
      what: `GET /api/items for a shopper, one address has ${what}: 99th percentile`,
      ours: measured,
      unit: "ms",
      raw: { what: "without other load", value },
      ratio: measured / value,
    });
  }
  await ours.stop();
  await database.remove();
  return rows;
}

function attacker({ port }: Program, localAddress = ATTACKER): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  return socket.on("error", () => {}).resume();
}

async function connected(sockets: readonly Socket[]): Promise<() => void> {
  await Promise.all(
    sockets.map(
      (socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve)),
    ),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

async function idle(target: Program): Promise<() => void> {
  const ends: (() => void)[] = [];
  while (ends.length < 20)
    ends.push(await connected(Array.from({ length: 250 }, () => attacker(target))));
  return () => {
    for (const end of ends) end();
  };
}

async function slowWriters(target: Program): Promise<() => void> {
  const sockets = Array.from({ length: 500 }, () => attacker(target));
  const end = await connected(sockets);
  for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
  const dripping = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write("a");
  }, 500);
  return () => {
    clearInterval(dripping);
    end();
  };
}

async function floodOrders({ port }: Program): Promise<() => unknown> {
  const flood = runLoad("http", {
    port,
    connections: 10,
    seconds: 4,
    warmUp: 0,
    what: "order",
    from: ATTACKER,
  });
  return () => flood;
}

const handshake = [
  `GET ${paths.orderStream}?order_id=none&contract_id=c HTTP/1.1`,
  "Host: shop.example",
  "Origin: http://shop.example",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n",
].join("\r\n");
const pongs = Buffer.concat(
  Array.from({ length: 10_922 }, () => Buffer.from([0x8a, 0x80, 0, 0, 0, 0])),
);

/** Each round uses other addresses, because of the rate limit for sockets. */
async function floodSockets(target: Program, round: number): Promise<() => void> {
  const sockets = new Set<Socket>();
  let over = false;
  const open = (from = `127.0.${10 + round}.66`) => {
    const socket = attacker(target, from);
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket));
  };
  const flood = () => {
    if (over) return;
    const socket = open();
    socket.write(handshake);
    const more = () => {
      if (!socket.destroyed) socket.write(pongs, () => setImmediate(more));
    };
    socket.once("data", more);
    socket.once("close", () => setTimeout(flood, BACK_AFTER));
  };
  const followers = Array.from({ length: FOLLOWERS }, (_, n) =>
    open(`127.0.${10 + round}.${Math.floor(n / SOCKETS)}`),
  );
  for (const follower of followers) follower.write(handshake);
  await Promise.all(followers.map((follower) => once(follower, "data")));
  for (let count = FLOODS; count < CONNECTIONS; count += 1) {
    const socket = open().pause();
    socket.write(`GET ${paths.openapi} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(10));
  }
  for (let count = 0; count < FLOODS; count += 1) flood();
  return () => {
    over = true;
    for (const socket of sockets) socket.destroy();
  };
}
