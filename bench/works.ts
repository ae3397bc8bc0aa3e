import { paths, withId } from "@keepsats/protocol";
import { placeOrder } from "../test/harness/client.ts";
import { freePort } from "../test/harness/free-port.ts";
import { lenderSettings } from "../test/harness/server-process.ts";
import type { BenchDatabase } from "./databases.ts";
import type { CheckpointLoad } from "./load/checkpoints.ts";
import type { HistoryLoad } from "./load/history.ts";
import type { RequestLoad } from "./load/requests.ts";
import type { SocketLoad } from "./load/sockets.ts";
import { largestPicture } from "./picture.ts";
import { type HeldLoad, holdLoad, MERCHANT_TOKEN, type Program } from "./programs.ts";
import {
  followPath,
  type Lane,
  letters,
  numberedItems,
  seedDeliveries,
  seedItems,
  seedOrders,
} from "./seed.ts";
import { writeSettings } from "./settings.ts";

/** Work of a shop that its shoppers should not notice. */
export interface Work {
  /** The end of its part's name. */
  readonly name: string;
  /** What goes on, after "while". */
  readonly what: string;
  /**
   * Whether a shopper is measured from the work's beginning to its end; otherwise in the middle of
   * it.
   */
  readonly isWhole: boolean;
  /** How often the shopper is measured beside it, if not as often as beside most. */
  readonly rounds?: number;
  prepare(database: BenchDatabase): Promise<Prepared>;
}

/** Work that can be begun. */
export interface Prepared {
  /** The settings of the shop. */
  readonly env: Readonly<Record<string, string>>;
  /** Called with the running shop. */
  start(shop: Program): Promise<void>;
  begin(): Promise<void>;
  /** Resolves when the work has ended, until it is begun again. */
  rest(): Promise<void>;
  end(): Promise<void>;
}

const ORDERS = 300_000;
const LOANS = 100_000;
const ITEMS = 50_000;
const WAITING = 10_000;
const FOLLOWERS = 10_000;
/** The least deliveries that must have been sent while the shopper was measured. */
const LEAST_SENT = 10;
/** Low enough that the list is still being read when the last round ends. */
const MEGABYTES_PER_SECOND = 6;
const asMerchant = { authorization: `Bearer ${MERCHANT_TOKEN}` };

export const works: readonly Work[] = [
  {
    name: "sweep",
    what: `the sweep reads ${LOANS.toLocaleString("en")} loans`,
    isWhole: false,
    async prepare() {
      const port = await freePort();
      const settings: HistoryLoad = {
        port,
        loans: LOANS,
        megabytesPerSecond: MEGABYTES_PER_SECOND,
      };
      const lender = await holdLoad("history", settings);
      return { ...byCommands(async () => lender), env: lenderAt(port) };
    },
  },
  {
    name: "checkpoint",
    what: "a checkpoint of 16 MB runs",
    isWhole: false,
    async prepare({ url }) {
      return byCommands(({ port }) =>
        holdLoad("checkpoints", { port, url } satisfies CheckpointLoad),
      );
    },
  },
  {
    name: "import",
    what: `an import changes ${ITEMS.toLocaleString("en")} items`,
    isWhole: true,
    rounds: 2,
    async prepare(database) {
      await seedItems(database, ITEMS);
      const bodies = [46, 45].map((price) => writeSettings({ items: numberedItems(ITEMS, price) }));
      const headers = { ...asMerchant, "content-type": "application/json" };
      return requested({
        method: "POST",
        path: paths.merchant.import,
        headers,
        bodies,
        breaksOff: false,
      });
    },
  },
  {
    name: "picture",
    what: "a picture of 50 megapixels is made smaller",
    isWhole: true,
    async prepare() {
      const headers = { ...asMerchant, "content-type": "image/jpeg" };
      const picture = await largestPicture();
      return requested({
        method: "POST",
        path: paths.merchant.pictures,
        headers,
        bodies: [picture.file],
        varied: picture.comment,
        breaksOff: false,
      });
    },
  },
  {
    name: "export",
    what: `${ORDERS.toLocaleString("en")} orders are exported`,
    isWhole: false,
    async prepare(database) {
      await seedOrders(database, { to: ORDERS });
      return requested({
        method: "GET",
        path: paths.merchant.ordersCsv,
        headers: asMerchant,
        breaksOff: true,
      });
    },
  },
  {
    name: "mail",
    what: `${WAITING.toLocaleString("en")} letters wait and are sent`,
    isWhole: false,
    async prepare(database) {
      const port = await freePort();
      const server = await holdLoad("mail", { port });
      const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "orders@shop.example" };
      return { ...delivered(database, server, lettersTo), env };
    },
  },
  {
    name: "webhooks",
    what: `${WAITING.toLocaleString("en")} messages to a webhook wait and are sent`,
    isWhole: false,
    async prepare(database) {
      const port = await freePort();
      const receiver = await holdLoad("receiver", { port });
      const prepared = delivered(database, receiver, (shop) =>
        messagesTo(shop, `http://127.0.0.1:${port}/`),
      );
      return { ...prepared, env: { WEBHOOKS_PRIVATE: "on" } };
    },
  },
  {
    name: "followers",
    what: `${FOLLOWERS.toLocaleString("en")} others follow orders with loans in progress`,
    isWhole: false,
    async prepare(database) {
      await seedOrders(database, { to: FOLLOWERS, loan: "underWay" });
      const port = await freePort();
      const lender = await holdLoad("lender", { port, loans: FOLLOWERS });
      return { ...followed(lender), env: lenderAt(port) };
    },
  },
];

function lenderAt(port: number): Record<string, string> {
  return lenderSettings({ url: `http://127.0.0.1:${port}`, key: "bench" });
}

/** Work that a load program does when it is told to. @param open starts the program */
function byCommands(open: (shop: Program) => Promise<HeldLoad>): Prepared {
  let load: HeldLoad | undefined;
  return {
    env: {},
    async start(shop) {
      load = await open(shop);
    },
    begin: async () => load?.say("begin"),
    rest: async () => load?.say("rest"),
    end: async () => void (await load?.end()),
  };
}

/** A request that is repeated. */
function requested(request: Omit<RequestLoad, "port">): Prepared {
  return byCommands(({ port }) => holdLoad("requests", { port, ...request }));
}

/** How deliveries come to a channel of the outbox. */
interface Way {
  readonly lane: Lane;
  /** Has the shop announce something itself, so that it looks at the outbox at once. */
  wake(): Promise<unknown>;
}

/**
 * Deliveries that wait, and are removed when the shopper is measured without them. @param receiver
 * counts what it is sent
 */
function delivered(
  database: BenchDatabase,
  receiver: HeldLoad,
  wayIn: (shop: Program) => Promise<Way>,
): Prepared {
  let way: Way | undefined;
  return {
    env: {},
    async start(shop) {
      await seedOrders(database, { to: WAITING, loan: "paid" });
      way = await wayIn(shop);
    },
    async begin() {
      if (way !== undefined) await seedDeliveries(database, way.lane, WAITING);
      await way?.wake();
    },
    rest: () => database.run("DELETE FROM outbox"),
    async end() {
      const sent = Number(await receiver.end());
      if (sent < LEAST_SENT) throw new Error(`only ${sent} were sent meanwhile`);
    },
  };
}

async function lettersTo({ port }: Program): Promise<Way> {
  return { lane: letters, wake: () => placeOrder({ url: `http://127.0.0.1:${port}` }) };
}

/** Adds a webhook at this address. */
async function messagesTo({ port }: Program, url: string): Promise<Way> {
  const post = async (path: string, body: object) => {
    const headers = { ...asMerchant, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
    return answer;
  };
  const answer = await post(paths.merchant.webhooks, { url, events: ["order.paid"] });
  const id: string = Reflect.get(Object(await answer.json()), "id");
  const wake = () => post(withId(paths.merchant.webhookTest, id), {});
  return { lane: { channel: "webhook", target: id }, wake };
}

/** Followers of different orders, each with an address of its own. */
function followed(lender: HeldLoad): Prepared {
  const follow = Array.from({ length: FOLLOWERS }, (_, index) => followPath(index + 1));
  let port = 0;
  let crowd: HeldLoad | undefined;
  return {
    env: {},
    async start(shop) {
      port = shop.port;
    },
    async begin() {
      const load: SocketLoad = { port, follow, changes: [], perSecond: 0, hold: true };
      crowd = await holdLoad("sockets", load);
    },
    rest: async () => void (await crowd?.end()),
    end: async () => void (await lender.end()),
  };
}
