import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { paths, withId } from "@keepsats/protocol";
import { WebSocket } from "ws";
import { onEachDatabase } from "./databases.ts";
import { alternately, many, medians } from "./measure.ts";
import { asMerchant, type Program, residentMemory, startRaw, startShop } from "./programs.ts";
import { atMostRaw, type Row } from "./row.ts";
import { seededId, seededLoan, seedOrders } from "./seed.ts";

const ROUNDS = 3;
const IDLE = many(10_000);
const SUBSCRIBERS = many(5_000);
/** The pause before the memory is read, in milliseconds. */
const SETTLED = 2_000;
const OPENED_AT_ONCE = 200;
const what = "ws alone";

/** A server that holds sockets, and sends each of them a message after a change. */
interface Sender {
  start(): Promise<Program>;
  pathOf(order: number): string;
  change(program: Program, order: number): Promise<unknown>;
}

const wsAlone: Sender = {
  start: () => startRaw("ws-alone"),
  pathOf: () => "/",
  change: ({ url }) => fetch(url),
};

/** The memory of an idle subscriber, and the time of one change for 5,000, beside `ws` alone. */
export function subscribers(): Promise<Row[]> {
  return onEachDatabase(async (database) => {
    await seedOrders(database, IDLE, "paid");
    const shop: Sender = {
      start: () => startShop({ DATABASE_URL: database.url }),
      pathOf: (order) =>
        `${paths.orderStream}?order_id=${seededId(order)}&contract_id=${seededLoan(order)}`,
      change: (program, order) =>
        asMerchant(program, "POST", withId(paths.merchant.transitions, seededId(order)), {
          to: "Shipped",
        }),
    };
    let round = 0;
    const results = await alternately(
      ROUNDS,
      () => {
        round += 1;
        return measured(shop, round);
      },
      () => measured(wsAlone, round),
    );
    const idle = `an idle subscriber of ${IDLE.toLocaleString("en")}, each of another order`;
    const change = `a change → the last of ${SUBSCRIBERS.toLocaleString("en")} has it`;
    const memory = medians(results, "kilobytes", what);
    const time = medians(results, "milliseconds", what);
    return [
      { what: `${idle}, ${database.name}`, unit: "KB", ...memory, budget: [atMostRaw(1.1)] },
      { what: `${change}, ${database.name}`, unit: "ms", ...time, budget: [atMostRaw(1.1)] },
    ];
  });
}

/** @param order the number of the order that is changed, another one in each round */
async function measured({ start, pathOf, change }: Sender, order: number) {
  const first = await start();
  await (await fetch(first.url + paths.items)).arrayBuffer();
  const before = residentMemory(first.pid);
  const own = Array.from({ length: IDLE }, (_, index) => pathOf(index + 1));
  const idle = await openSockets(first, own);
  await pause(SETTLED);
  const kilobytes = ((residentMemory(first.pid) - before) * 1024) / IDLE;
  for (const socket of idle) socket.terminate();
  await first.stop();

  const second = await start();
  const same = Array.from({ length: SUBSCRIBERS }, () => pathOf(order));
  const sockets = await openSockets(second, same);
  const seen = sockets.map((socket) => once(socket, "message"));
  const begun = performance.now();
  const changed = change(second, order);
  await Promise.all(seen);
  const milliseconds = performance.now() - begun;
  await changed;
  for (const socket of sockets) socket.terminate();
  await second.stop();
  return { kilobytes, milliseconds };
}

/** Opens sockets, some at a time. Each has received its first message then. */
async function openSockets(program: Program, paths: readonly string[]): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let first = 0; first < paths.length; first += OPENED_AT_ONCE) {
    const some = paths.slice(first, first + OPENED_AT_ONCE);
    const opened = some.map((path, index) => open(program, path, first + index));
    sockets.push(...(await Promise.all(opened)));
  }
  return sockets;
}

/** Opens a socket from an address of its own. */
async function open({ url }: Program, path: string, number: number): Promise<WebSocket> {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  const socket = new WebSocket(url.replace("http", "ws") + path, {
    origin: "http://shop.example",
    perMessageDeflate: false,
    headers: { "x-forwarded-for": address },
  });
  await once(socket, "message");
  return socket;
}
