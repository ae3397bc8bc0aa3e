import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { paths, withId } from "@keepsats/protocol";
import { aContract, startScriptedProvider } from "../test/harness/provider.ts";
import { startReceiver } from "../test/harness/receiver.ts";
import { providerSettings } from "../test/harness/server-process.ts";
import { type BenchDatabase, onEachDatabase } from "./databases.ts";
import { alternately, atMost, atMostRaw, many, medians, type Row } from "./measure.ts";
import {
  ADMIN_TOKEN,
  asStaff,
  oneClient,
  type Program,
  type Requests,
  startShop,
} from "./programs.ts";
import { numberedItems, seedDeliveries, seededId, seedOrders } from "./seed.ts";

/** Background work of the shop that must not slow down its customers. */
interface Work {
  /** Completes the name of a row, after "while". */
  readonly name: string;
  prepare(database: BenchDatabase): Promise<PreparedWork>;
}

/** A round is `startRound`, then `during` while the customer is measured, then `endRound`. */
interface PreparedWork {
  /** Environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called once, when the server runs. */
  start?(shop: Program): Promise<unknown>;
  startRound?(shop: Program): Promise<unknown>;
  during?(shop: Program): Promise<unknown>;
  endRound?(): Promise<unknown>;
  end?(): Promise<unknown>;
}

const LOANS = many(100_000);
const ITEMS = many(50_000);
const ORDERS = many(300_000);
const DELIVERIES = many(10_000);
/** Slow enough that the sweep still reads when the last round ends. */
const MEGABYTES_PER_SECOND = 6;
/** In milliseconds. */
const EXPORT_DURATION = 700;

const count = (number: number) => number.toLocaleString("en");

const works: Readonly<Record<string, Work>> = {
  sweep: {
    name: `the sweep reads ${count(LOANS)} loans`,
    async prepare() {
      const provider = await startScriptedProvider();
      const list = slowList();
      provider.listBy(list.send);
      return {
        env: providerSettings({ url: provider.url, key: "bench" }),
        startRound: list.open,
        endRound: list.pause,
        end: provider.close,
      };
    },
  },
  import: {
    name: `an import changes ${count(ITEMS)} items`,
    async prepare() {
      let price = 45;
      const importItems = (shop: Program) => {
        price += 1;
        const items = numberedItems(ITEMS, price);
        return asStaff(shop, "POST", paths.admin.import, { items });
      };
      return { start: importItems, during: importItems };
    },
  },
  export: {
    name: `${count(ORDERS)} orders are exported`,
    async prepare(database) {
      await seedOrders(database, ORDERS);
      return { during: readExport };
    },
  },
  webhooks: {
    name: `${count(DELIVERIES)} waiting messages are sent to a webhook`,
    async prepare(database) {
      await seedOrders(database, DELIVERIES, "paid");
      const receiver = await startReceiver();
      let id = "";
      return {
        env: { WEBHOOKS_PRIVATE: "on" },
        async start(shop) {
          const webhook = { url: receiver.url, events: ["order.paid"] };
          const added = await asStaff(shop, "POST", paths.admin.webhooks, webhook);
          id = String(Reflect.get(added, "id"));
        },
        async startRound(shop) {
          await seedDeliveries(database, id, DELIVERIES);
          // The server sends a test message at once, and with it all that are due.
          await asStaff(shop, "POST", withId(paths.admin.webhookTest, id), {});
        },
        endRound: () => database.within(({ db }) => db.deleteFrom("outbox").execute()),
        async end() {
          const sent = receiver.received.length;
          if (sent < 10) throw new Error(`only ${sent} messages were sent`);
          await receiver.close();
        },
      };
    },
  },
};

/** A long list of loans over a slow connection, which stalls outside the rounds. */
function slowList() {
  const filler = "x".repeat(2_350);
  const chunkSize = 50;
  let isOpen = Promise.withResolvers<void>();
  async function* chunks(): AsyncGenerator<string> {
    yield "[";
    for (let sent = 0; sent < LOANS; sent += chunkSize) {
      await isOpen.promise;
      const loans = Array.from({ length: chunkSize }, (_, index) =>
        JSON.stringify(aContract(`old-${sent + index}`, seededId(0), "Closed", { terms: filler })),
      );
      const text = `${loans.join(",")},`;
      yield text;
      await pause(text.length / (MEGABYTES_PER_SECOND * 1_000));
    }
    yield `${JSON.stringify(aContract("last", null, "Closed"))}]`;
  }
  return {
    open: async () => isOpen.resolve(),
    async pause() {
      isOpen = Promise.withResolvers();
    },
    send: (response: ServerResponse) => void pipeline(chunks(), response).catch(() => {}),
  };
}

/** Reads a part of the export of all orders. */
async function readExport({ url }: Program): Promise<void> {
  const signal = AbortSignal.timeout(EXPORT_DURATION);
  const response = await fetch(`${url}${paths.admin.ordersCsv}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    signal,
  });
  await response.arrayBuffer().catch((error) => {
    if (!signal.aborted) throw error;
  });
}

const ROUNDS = 3;
/** In milliseconds; longer where the work of a round takes longer. */
const DURATION = 700;

/** The requests of the customer. */
const acts: Readonly<Record<string, Requests>> = {
  "GET /api/items": { target: [paths.items], headers: { "Accept-Encoding": "br" } },
  "an order placed": { target: "order" },
};

/** The response times of one customer during background work: a part for each kind of work. */
export const background: Readonly<Record<string, () => Promise<Row[]>>> = Object.fromEntries(
  Object.entries(works).map(([name, work]) => [
    `while-${name}`,
    () => onEachDatabase((database) => rowsOn(work, database)),
  ]),
);

async function rowsOn(work: Work, database: BenchDatabase): Promise<Row[]> {
  const { env, start, startRound, during, endRound, end } = await work.prepare(database);
  await database.settle();
  const shop = await startShop({ DATABASE_URL: database.url, ...env });
  const alone = (requests: Requests) => oneClient(shop, requests, () => pause(DURATION));
  async function duringWork(requests: Requests) {
    await startRound?.(shop);
    const result = await oneClient(shop, requests, () =>
      Promise.all([pause(DURATION), during?.(shop)]),
    );
    await endRound?.();
    return result;
  }
  await start?.(shop);
  // Warms up: Node compiles the server's code.
  for (const requests of Object.values(acts)) await alone(requests);
  const rows: Row[] = [];
  for (const [act, requests] of Object.entries(acts)) {
    const results = await alternately(
      ROUNDS,
      () => duringWork(requests),
      () => alone(requests),
    );
    const p99 = medians(results, "p99", "without that work");
    const name = `${act} while ${work.name}, ${database.name}: 99th percentile`;
    rows.push({ name, unit: "ms", ...p99, budget: [atMostRaw(2), atMost(5)] });
  }
  await shop.stop();
  await end?.();
  return rows;
}
