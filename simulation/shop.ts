import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { type App, type AppTimes, createApp } from "../apps/server/src/app.ts";
import type { Config } from "../apps/server/src/config/config.ts";
import { loadSampleCatalogue } from "../apps/server/src/modules/catalogue/load-sample.ts";
import { paymentTimes } from "../apps/server/src/modules/payments/index.ts";
import { providerNamed } from "../apps/server/src/modules/payments/provider/index.ts";
import { eraseTimes } from "../apps/server/src/modules/privacy/erase-old-orders.ts";
import type { Post } from "../apps/server/src/modules/webhooks/post.ts";
import { type Database, unobserved } from "../apps/server/src/platform/database/database.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import {
  type Bus,
  type Change,
  createInProcessBus,
} from "../apps/server/src/platform/events/bus.ts";
import type { Channel } from "../apps/server/src/platform/outbox/channel.ts";
import { createWindowCounters } from "../apps/server/src/platform/rate-limit/limit.ts";
import { elapsed, HOUR } from "../apps/server/src/platform/scheduling/clock.ts";
import { aConfig } from "../test/harness/config.ts";
import { WEBHOOK } from "./receiver.ts";
import type { Answer, ShopRequest } from "./world.ts";

export const PUBLIC_URL = "http://shop.example";
const WEBHOOK_URL = "https://system.example/events";
/** The name of the adapter whose provider is simulated. */
const PROVIDER = "contracts-api";
const TOKEN = "the-admin-token-of-the-simulation";
export const staffHeaders = { authorization: `Bearer ${TOKEN}` };

/** The payment term, in milliseconds: so short that orders expire during the active part of a day. */
export const PAYMENT_TERM = 90_000;
/** The stock of each of the first items; the other items are not counted. */
export const INITIAL_STOCK = 7;
/** The number of items with a stock. */
export const COUNTED_ITEMS = 5;

const times: AppTimes = {
  ...paymentTimes,
  erase: eraseTimes,
  expiry: { ...paymentTimes.expiry, checkInterval: 5_000, runInterval: 10_000, maxBackoff: 30_000 },
  keepFigures: 0,
  pingInterval: 30_000,
  rereadInterval: 30_000,
};

/** The environment of a shop's process, and its callbacks. */
export interface ShopEnvironment {
  /** The database. */
  readonly file: string;
  /** The folder of the built storefront. */
  readonly webRoot: string;
  readonly newId: () => string;
  readonly channel: Channel;
  readonly post: Post;
  readonly onChange: (change: Change) => void;
  readonly onLog: (line: string) => void;
  /** Called after every query. Its error reaches the code that made the query. */
  readonly afterQuery: () => void;
  readonly afterCommitFailed: (error: unknown) => void;
}

/** One process of the shop. */
export interface ShopProcess {
  readonly file: string;
  /** The output of an ended process is ignored. */
  hasEnded: boolean;
  readonly app: App;
  /** Sends a request. Its answer is lost if the process ends before. */
  request(request: ShopRequest, onAnswer: (answer: Answer) => void): void;
  close(): Promise<void>;
  /** Releases the resources of a killed process. */
  release(): Promise<void>;
}

const sample = join(import.meta.dirname, "../catalogue/items.json");

/** Starts the shop on a database, without a network. */
export async function startShop(environment: ShopEnvironment): Promise<ShopProcess> {
  const { file, webRoot, newId, channel, post, onChange, onLog, afterQuery, afterCommitFailed } =
    environment;
  const database = openSqlite(file, { ...unobserved, answered: afterQuery, afterCommitFailed });
  await loadSampleCatalogue(database, sample);
  await setStock(database);
  await addWebhook(database, WEBHOOK_URL);
  const connectProvider = providerNamed(PROVIDER);
  if (connectProvider === undefined) throw new Error(`there is no adapter ${PROVIDER}`);
  const app = await createApp({
    connectProvider,
    moreChannels: [channel],
    postWebhook: post,
    database,
    databaseLoad: () => ({ up: true, queries: 0, seconds: 0 }),
    bus: observed(createInProcessBus(), onChange),
    counters: createWindowCounters(elapsed),
    config: configOf(file),
    release: { version: "1.2.3", commit: "0123abc" },
    adminToken: TOKEN,
    now: () => Date.now(),
    newId,
    log: pino({ level: "warn", base: null }, { write: onLog }),
    droppedLogLines: () => 0,
    webRoot,
    adminRoot: webRoot,
    times,
  });
  await app.start();
  return processOf(app, database, file);
}

/** Gives the first items of a new catalogue a stock. */
async function setStock({ db }: Database): Promise<void> {
  const items = await db.selectFrom("items").select(["id", "stock"]).orderBy("position").execute();
  const first = items.slice(0, COUNTED_ITEMS);
  if (first.some(({ stock }) => stock !== null)) return;
  await db
    .updateTable("items")
    .set({ stock: INITIAL_STOCK })
    .where(
      "id",
      "in",
      first.map(({ id }) => id),
    )
    .execute();
}

/** Adds {@link WEBHOOK} to a new database. */
export async function addWebhook({ db }: Pick<Database, "db">, url: string): Promise<void> {
  const { id, events } = WEBHOOK;
  await db
    .insertInto("webhooks")
    .values({
      id,
      url,
      events: JSON.stringify(events),
      secret: `whsec_${btoa("a secret of the simulation")}`,
      is_on: 1,
      created_by: "admin",
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function processOf(app: App, database: Database, file: string): ShopProcess {
  const shop: ShopProcess = {
    file,
    hasEnded: false,
    app,
    request({ method, url, headers, payload }, onAnswer) {
      app.http
        .inject({
          method,
          url,
          remoteAddress: "192.0.2.1",
          ...(headers && { headers }),
          ...(payload && { payload }),
        })
        .then((answer) => {
          if (!shop.hasEnded) onAnswer(answer);
        });
    },
    async close() {
      await app.close();
      await database.close();
    },
    async release() {
      await database.close();
    },
  };
  return shop;
}

/** Reports every message of the bus to the simulation before the shop receives it. */
function observed(bus: Bus, onChange: (change: Change) => void): Bus {
  return {
    ...bus,
    publish(change) {
      onChange(change);
      bus.publish(change);
    },
  };
}

function configOf(file: string): Config {
  return aConfig({
    port: 3000,
    publicUrl: PUBLIC_URL,
    database: { kind: "sqlite", file },
    orderExpiresHours: PAYMENT_TERM / HOUR,
    loanProvider: PROVIDER,
    loanApiUrl: "http://lender.example",
    loanApiKey: "key",
    adminToken: TOKEN,
    logLevel: "warn",
  });
}

/** Copies a database as a killed process leaves it: the file and its write-ahead log. */
export function copyDatabase(from: string, to: string): void {
  for (const end of ["", "-wal"])
    if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`);
}
