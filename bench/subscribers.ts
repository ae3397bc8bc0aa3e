import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { paths, withId } from "@keepsats/protocol";
import { WebSocket } from "ws";
import { onEachDatabase } from "./databases.ts";
import { alternately, atMostRaw, many, medians, type Row } from "./measure.ts";
import { asStaff, type Program, residentMemory, startRaw, startShop } from "./programs.ts";
import { seededId, seededLoan, seedOrders } from "./seed.ts";

const ROUNDS = 3;
const IDLE = many(10_000);
const SUBSCRIBERS = many(5_000);
/** The pause before the memory is read, in milliseconds. */
const MEMORY_DELAY = 2_000;
const BATCH_SIZE = 200;
const rawName = "ws alone";

/** A server that sends a message to each of its sockets after a change. */
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

/** The memory of an idle subscriber, and the time to send a change to 5,000, compared with `ws` alone. */
export function subscribers(): Promise<Row[]> {
  return onEachDatabase(async (database) => {
    await seedOrders(database, IDLE, "paid");
    const shop: Sender = {
      start: () => startShop({ DATABASE_URL: database.url }),
      pathOf: (order) =>
        `${paths.orderStream}?order_id=${seededId(order)}&contract_id=${seededLoan(order)}`,
      change: (program, order) =>
        asStaff(program, "POST", withId(paths.admin.transitions, seededId(order)), {
          to: "Shipped",
        }),
    };
    let round = 0;
    const results = await alternately(
      ROUNDS,
      () => {
        round += 1;
        return measure(shop, round);
      },
      () => measure(wsAlone, round),
    );
    const idle = `an idle subscriber of ${IDLE.toLocaleString("en")}, each of another order`;
    const change = `a change → the last of ${SUBSCRIBERS.toLocaleString("en")} has it`;
    const memory = medians(results, "kilobytes", rawName);
    const time = medians(results, "milliseconds", rawName);
    return [
      { name: `${idle}, ${database.name}`, unit: "KB", ...memory, budget: [atMostRaw(1.1)] },
      { name: `${change}, ${database.name}`, unit: "ms", ...time, budget: [atMostRaw(1.1)] },
    ];
  });
}

/** @param order the number of the changed order, a new one in each round */
async function measure({ start: startSender, pathOf, change }: Sender, order: number) {
  const first = await startSender();
  await (await fetch(first.url + paths.items)).arrayBuffer();
  const before = residentMemory(first.pid);
  const distinct = Array.from({ length: IDLE }, (_, index) => pathOf(index + 1));
  const idle = await openSockets(first, distinct);
  await pause(MEMORY_DELAY);
  const kilobytes = ((residentMemory(first.pid) - before) * 1024) / IDLE;
  for (const socket of idle) socket.terminate();
  await first.stop();

  const second = await startSender();
  const same = Array.from({ length: SUBSCRIBERS }, () => pathOf(order));
  const sockets = await openSockets(second, same);
  const received = sockets.map((socket) => once(socket, "message"));
  const start = performance.now();
  const changed = change(second, order);
  await Promise.all(received);
  const milliseconds = performance.now() - start;
  await changed;
  for (const socket of sockets) socket.terminate();
  await second.stop();
  return { kilobytes, milliseconds };
}

/** Opens sockets in batches, and waits for the first message of each. */
async function openSockets(program: Program, paths: readonly string[]): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let first = 0; first < paths.length; first += BATCH_SIZE) {
    const some = paths.slice(first, first + BATCH_SIZE);
    const opened = some.map((path, index) => open(program, path, first + index));
    sockets.push(...(await Promise.all(opened)));
  }
  return sockets;
}

/** Each socket has its own client address. */
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
