import { setTimeout as pause } from "node:timers/promises";
import { type BenchDatabase, databases, newSqlite } from "./databases.ts";
import type { SocketLoad, SocketLoadResult } from "./load/sockets.ts";
import { byTurns, median, percentile } from "./measure.ts";
import {
  holdLoad,
  MERCHANT_TOKEN,
  makeTables,
  residentMemory,
  runLoad,
  startOurs,
  startRaw,
} from "./programs.ts";
import { beside, type Row } from "./row.ts";
import { followPath, seededId, seedOrders } from "./seed.ts";

const ROUNDS = 3;
const IDLE = 10_000;
const BROADCAST = 5_000;
/** The pause before a memory measurement, in milliseconds. */
const SETTLED = 2_000;
const MOST = 1.1;

function moveRequest(n: number, to: string): string {
  const body = JSON.stringify({ to });
  return `POST /api/merchant/orders/${seededId(n)}/transitions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${MERCHANT_TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/**
 * The memory of an idle follower, and the time of one change for 5,000 followers, beside `ws`
 * alone.
 */
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
  await makeTables(database.url);
  await seedOrders(database, { to: IDLE, loan: "paid" });
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

async function broadcastTo(
  port: number,
  follow: string[],
  requests: readonly string[],
): Promise<number> {
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

const PER_SECOND = 1_000;
const CHANGES = 5_000;
/** The number of warm-up changes before the measurement, while Node compiles the server's code. */
const WARMING_UP = 2_000;
/**
 * The number of consecutive followers in the case of one follower at a time, to get enough
 * measurements.
 */
const IN_TURN = 100;

/** The number of orders of one round: up to 10,000 that are followed, and one per change. */
const ORDERS = 10_000 + WARMING_UP + CHANGES;

/** The time from sending a change to receiving its frame, with 1, 1,000 and 10,000 followers. */
export async function delivery(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const newDatabase of databases) {
    for (const count of [1, 1_000, 10_000]) {
      const database = await newDatabase();
      await makeTables(database.url);
      await seedOrders(database, { to: ROUNDS * ORDERS, loan: "paid" });
      const ours = await startOurs({ DATABASE_URL: database.url });
      const rounds: SocketLoadResult[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push(
          await runLoad(
            "sockets",
            deliveryLoad({ port: ours.port, count, first: round * ORDERS + 1 }),
          ),
        );
      }
      await ours.stop();
      await database.remove();
      const rate = Math.round(
        (WARMING_UP + CHANGES) / median(rounds.map(({ seconds }) => seconds)),
      );
      const who = count === 1 ? "1 follower" : `${count.toLocaleString("en")} followers`;
      const what = `change sent → frame at its follower, ${who}, ${rate} changes/s, ${database.name}`;
      const within = (share: number) =>
        Number(median(rounds.map(({ took }) => percentile(took, share))).toFixed(1));
      rows.push(
        { what: `${what}: median`, ours: within(0.5), unit: "ms" },
        { what: `${what}: 99th percentile`, ours: within(0.99), unit: "ms" },
      );
    }
  }
  return rows;
}

/**
 * Status changes of different orders, from number `first` on. The first ones are of orders that
 * nobody follows, until the server has warmed up. If there are few followers, most of the later
 * ones are too.
 */
function deliveryLoad({
  port,
  count,
  first,
}: {
  port: number;
  count: number;
  first: number;
}): SocketLoad {
  const inTurn = count === 1;
  const followers = inTurn ? IN_TURN : count;
  const every = Math.max(1, Math.floor(CHANGES / followers));
  const move = (n: number) => moveRequest(first + n, "Shipped");
  let follower = -1;
  let unfollowed = followers - 1;
  return {
    port,
    follow: Array.from({ length: followers }, (_, index) => followPath(first + index)),
    changes: Array.from({ length: WARMING_UP + CHANGES }, (_, index) => {
      if (index >= WARMING_UP && index % every === 0 && follower + 1 < followers) {
        follower += 1;
        return { request: move(follower), follower };
      }
      unfollowed += 1;
      return { request: move(unfollowed), follower: -1 };
    }),
    perSecond: PER_SECOND,
    inTurn,
  };
}
