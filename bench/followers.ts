import { setTimeout as pause } from "node:timers/promises";
import { type BenchDatabase, databases, newPostgres, newSqlite } from "./databases.ts";
import type { SocketLoad, SocketLoadResult } from "./load/sockets.ts";
import { byTurns, median, percentile } from "./measure.ts";
import { holdLoad, MERCHANT_TOKEN, residentMemory, runLoad, startOurs, startRaw } from "./programs.ts";
import { beside, type Row } from "./row.ts";
import { seededContract, seededId, seedOrders } from "./seed.ts";

const ROUNDS = 3;
const IDLE = 10_000;
const BROADCAST = 5_000;
/** Until a process has settled after much has happened, in milliseconds. */
const SETTLED = 2_000;
const MOST = 1.5;

const followPath = (n: number) =>
  `/api/ws/order-status?order_id=${seededId(n)}&contract_id=${seededContract(n)}`;

function moveRequest(n: number, to: string): string {
  const body = JSON.stringify({ to });
  return `POST /api/merchant/orders/${seededId(n)}/transitions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${MERCHANT_TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** What an idle follower costs, and one change that 5,000 follow, beside `ws` alone. */
export async function followers(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of databases) {
    const { one, other } = await byTurns(ROUNDS, () => oursRound(newDatabase), rawRound);
    rows.push(...rowsOf(newDatabase === newSqlite ? "SQLite" : "PostgreSQL", one, other));
  }
  return rows;
}

interface Round {
  readonly kilobytes: number;
  readonly milliseconds: number;
}

function rowsOf(name: string, ours: readonly Round[], raw: readonly Round[]): Row[] {
  const kilobytes = (all: readonly Round[]) =>
    Number(median(all.map(({ kilobytes }) => kilobytes)).toFixed(1));
  const milliseconds = (all: readonly Round[]) =>
    Math.round(median(all.map(({ milliseconds }) => milliseconds)));
  return [
    beside(
      {
        what: `memory of an idle follower, ${name} (${IDLE.toLocaleString("en")}, each of an order of its own)`,
        ours: kilobytes(ours),
        unit: "KB",
      },
      { what: "ws alone", value: kilobytes(raw) },
      { most: MOST },
    ),
    beside(
      {
        what: `change sent → the last of ${BROADCAST.toLocaleString("en")} followers has its frame (commit included), ${name}`,
        ours: milliseconds(ours),
        unit: "ms",
      },
      { what: "ws alone, sends only", value: milliseconds(raw) },
      { most: MOST },
    ),
  ];
}

async function oursRound(newDatabase: () => Promise<BenchDatabase>): Promise<Round> {
  const database = await newDatabase();
  const start = () => startOurs({ DATABASE_URL: database.url });
  await (await start()).stop();
  await seedOrders(database, { to: IDLE, paid: true });
  const first = await start();
  const kilobytes = await memoryOf(
    first.port,
    first.pid,
    Array.from({ length: IDLE }, (_, n) => followPath(n + 1)),
  );
  await first.stop();
  const second = await start();
  const load = Array.from({ length: BROADCAST }, () => followPath(1));
  const milliseconds = await broadcastTo(second.port, load, [moveRequest(1, "Shipped")]);
  await second.stop();
  await database.remove();
  return { kilobytes, milliseconds };
}

async function rawRound(): Promise<Round> {
  const first = await startRaw("ws-alone");
  const kilobytes = await memoryOf(
    first.port,
    first.pid,
    Array.from({ length: IDLE }, () => "/"),
  );
  await first.stop();
  const second = await startRaw("ws-alone");
  const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const milliseconds = await broadcastTo(
    second.port,
    Array.from({ length: BROADCAST }, () => "/"),
    [request],
  );
  await second.stop();
  return { kilobytes, milliseconds };
}

async function memoryOf(port: number, pid: number, follow: string[]): Promise<number> {
  await (await fetch(`http://127.0.0.1:${port}/api/items`)).arrayBuffer();
  const before = residentMemory(pid);
  const settings: SocketLoad = { port, follow, changes: [], perSecond: 0, hold: true };
  const held = await holdLoad("sockets", settings);
  await pause(SETTLED);
  const kilobytes = ((residentMemory(pid) - before) * 1024) / follow.length;
  await held.end();
  return kilobytes;
}

async function broadcastTo(port: number, follow: string[], requests: readonly string[]): Promise<number> {
  const settings: SocketLoad = {
    port,
    follow,
    changes: requests.map((request) => ({ request, follower: 0 })),
    perSecond: 0,
    broadcast: true,
  };
  const { took } = await runLoad<SocketLoadResult>("sockets", settings);
  return Math.max(...took);
}

/** The database, and the changes a second that are asked for; the last are what one process with PostgreSQL beside it can do here. */
const runs = [
  [newSqlite, 1_000],
  [newPostgres, 1_000],
  [newPostgres, 300],
] as const;
const CHANGES = 5_000;

/** From the sending of a change to its frame at the follower, with 1, 1,000 and 10,000 followers. */
export async function delivery(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [newDatabase, perSecond] of runs) {
    for (const count of [1, 1_000, 10_000]) {
      const database = await newDatabase();
      await (await startOurs({ DATABASE_URL: database.url })).stop();
      await seedOrders(database, { to: 15_000, paid: true });
      const ours = await startOurs({ DATABASE_URL: database.url });
      const settings: SocketLoad = {
        port: ours.port,
        follow: Array.from({ length: count }, (_, index) => followPath(index + 1)),
        changes: changesFor(count),
        perSecond,
      };
      const { took, seconds } = await runLoad<SocketLoadResult>("sockets", settings);
      await ours.stop();
      await database.remove();
      const rate = Math.round(settings.changes.length / seconds);
      const what = `change sent → frame at its follower, ${count.toLocaleString("en")} followers, ${rate} changes/s, ${database.name}`;
      rows.push(
        { what: `${what}: half of them within`, ours: Number(percentile(took, 0.5).toFixed(1)), unit: "ms" },
        { what: `${what}: 99 of 100 within`, ours: Number(percentile(took, 0.99).toFixed(1)), unit: "ms" },
      );
    }
  }
  return rows;
}

/** Moves of many orders. Where few follow, most moves are of orders that nobody follows. */
function changesFor(followers: number): SocketLoad["changes"] {
  if (followers >= CHANGES) {
    return Array.from({ length: CHANGES }, (_, index) => ({
      request: moveRequest(index + 1, "Shipped"),
      follower: index,
    }));
  }
  const followed = Array.from({ length: followers }, (_, index) => index).flatMap((index) => [
    { request: moveRequest(index + 1, "Shipped"), follower: index },
  ]);
  const step = Math.floor(CHANGES / followed.length);
  return Array.from({ length: CHANGES }, (_, index) => {
    const one = index % step === step - 1 ? followed[Math.floor(index / step)] : undefined;
    return one ?? { request: moveRequest(10_001 + (index % 5_000), "Shipped"), follower: -1 };
  });
}
