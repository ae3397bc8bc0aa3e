import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { paths, withId } from "@keepsats/protocol";
import { aContract, startScriptedLender } from "../test/harness/lender.ts";
import { startReceiver } from "../test/harness/receiver.ts";
import { lenderSettings } from "../test/harness/server-process.ts";
import type { BenchDatabase } from "./databases.ts";
import { many } from "./measure.ts";
import { asMerchant, MERCHANT_TOKEN, type Program } from "./programs.ts";
import { numberedItems, seedDeliveries, seededId, seedOrders } from "./seed.ts";

/** Work of a shop that its customers should not notice. */
export interface Work {
  /** Completes the name of a row, after "while". */
  readonly what: string;
  prepare(database: BenchDatabase): Promise<Prepared>;
}

/** One round is `begin`, `during` while the customer is measured, and `rest`. */
interface Prepared {
  /** Settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called once, with the running server. */
  start?(shop: Program): Promise<unknown>;
  begin?(shop: Program): Promise<unknown>;
  during?(shop: Program): Promise<unknown>;
  rest?(): Promise<unknown>;
  end?(): Promise<unknown>;
}

const LOANS = many(100_000);
const ITEMS = many(50_000);
const ORDERS = many(300_000);
const DELIVERIES = many(10_000);
/** Low enough that the sweep is still reading when the last round ends. */
const MEGABYTES_PER_SECOND = 6;
/** How long the export is read beside a customer, in milliseconds. */
const EXPORTED = 700;

const count = (number: number) => number.toLocaleString("en");

export const works: Readonly<Record<string, Work>> = {
  sweep: {
    what: `the sweep reads ${count(LOANS)} loans`,
    async prepare() {
      const lender = await startScriptedLender();
      const list = slowList();
      lender.listBy(list.send);
      return {
        env: lenderSettings({ url: lender.url, key: "bench" }),
        begin: list.open,
        rest: list.pause,
        end: lender.close,
      };
    },
  },
  import: {
    what: `an import changes ${count(ITEMS)} items`,
    async prepare() {
      let price = 45;
      const importItems = (shop: Program) => {
        price += 1;
        const items = numberedItems(ITEMS, price);
        return asMerchant(shop, "POST", paths.merchant.import, { items });
      };
      return { start: importItems, during: importItems };
    },
  },
  export: {
    what: `${count(ORDERS)} orders are exported`,
    async prepare(database) {
      await seedOrders(database, ORDERS);
      return { during: readExport };
    },
  },
  webhooks: {
    what: `${count(DELIVERIES)} messages to a webhook wait and are sent`,
    async prepare(database) {
      await seedOrders(database, DELIVERIES, "paid");
      const receiver = await startReceiver();
      let id = "";
      return {
        env: { WEBHOOKS_PRIVATE: "on" },
        async start(shop) {
          const webhook = { url: receiver.url, events: ["order.paid"] };
          const added = await asMerchant(shop, "POST", paths.merchant.webhooks, webhook);
          id = String(Reflect.get(added, "id"));
        },
        async begin(shop) {
          await seedDeliveries(database, id, DELIVERIES);
          // The server sends a test message at once, and finds what waits.
          await asMerchant(shop, "POST", withId(paths.merchant.webhookTest, id), {});
        },
        rest: () => database.within(({ db }) => db.deleteFrom("outbox").execute()),
        async end() {
          const sent = receiver.received.length;
          if (sent < 10) throw new Error(`only ${sent} messages were sent`);
          await receiver.close();
        },
      };
    },
  },
};

/** A long list of loans over a slow connection, on which nothing comes outside of the rounds. */
function slowList() {
  const filler = "x".repeat(2_350);
  const atATime = 50;
  let isOpen = Promise.withResolvers<void>();
  async function* parts(): AsyncGenerator<string> {
    yield "[";
    for (let sent = 0; sent < LOANS; sent += atATime) {
      await isOpen.promise;
      const loans = Array.from({ length: atATime }, (_, index) =>
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
    send: (response: ServerResponse) => void pipeline(parts(), response).catch(() => {}),
  };
}

/** Reads the export of all orders while the customer is measured, and breaks it off. */
async function readExport({ url }: Program): Promise<void> {
  const signal = AbortSignal.timeout(EXPORTED);
  const response = await fetch(`${url}${paths.merchant.ordersCsv}`, {
    headers: { authorization: `Bearer ${MERCHANT_TOKEN}` },
    signal,
  });
  await response.arrayBuffer().catch((error) => {
    if (!signal.aborted) throw error;
  });
}
