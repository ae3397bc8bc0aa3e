import { pino } from "pino";
import { type AppTimes, createApp } from "../apps/server/src/app.ts";
import { paymentTimes } from "../apps/server/src/modules/payments/index.ts";
import { eraseTimes } from "../apps/server/src/modules/privacy/index.ts";
import type { Post } from "../apps/server/src/modules/webhooks/post.ts";
import { type Database, unobserved } from "../apps/server/src/platform/database/database.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { type Change, createInProcessBus } from "../apps/server/src/platform/events/bus.ts";
import { createWindowCounters } from "../apps/server/src/platform/rate-limit/limit.ts";
import { elapsed, HOUR } from "../apps/server/src/platform/scheduling/clock.ts";
import { aConfig } from "../test/harness/config.ts";
import { appDefaults, loadSample } from "../test/harness/shop.ts";
import { eventTypes } from "./invariants/outbox.ts";

export const PUBLIC_URL = "http://shop.example";
export const ADMIN_TOKEN = "the-admin-token-of-the-simulation";
/** The payment term, in milliseconds: so short that orders expire during the active part of a day. */
export const PAYMENT_TERM = 90_000;
/** The number of items with a stock: the first ones. The others are not counted. */
const COUNTED_ITEMS = 5;

const times: AppTimes = {
  ...paymentTimes,
  erase: eraseTimes,
  expiry: { ...paymentTimes.expiry, checkInterval: 5_000, runInterval: 10_000 },
  keepFigures: 0,
  pingInterval: 30_000,
  rereadInterval: 30_000,
};

/** The environment of a shop's process, and its callbacks. */
interface Environment {
  /** The database. */
  readonly file: string;
  /** The folder of the built storefront. */
  readonly webRoot: string;
  readonly newId: () => string;
  readonly post: Post;
  readonly onChange: (change: Change) => void;
  readonly onLog: (line: string) => void;
  /** Called after every query. Its error reaches the code that made the query. */
  readonly afterQuery: () => void;
  readonly afterCommitFailed: (error: unknown) => void;
}

/** Starts the shop on a database, without a network. */
export async function startShop(environment: Environment) {
  const { file, webRoot, newId, post, onChange, onLog, afterQuery, afterCommitFailed } =
    environment;
  const database = openSqlite(file, { ...unobserved, answered: afterQuery, afterCommitFailed });
  await loadSample(database);
  await addStockAndWebhook(database, INITIAL_STOCK, "https://system.example/events");
  const bus = createInProcessBus();
  const config = aConfig({
    port: 3000,
    publicUrl: PUBLIC_URL,
    database: { kind: "sqlite", file },
    orderExpiresHours: PAYMENT_TERM / HOUR,
    loanApiUrl: "http://lender.example",
    loanApiKey: "key",
    adminToken: ADMIN_TOKEN,
  });
  const app = await createApp({
    ...appDefaults(config),
    database,
    databaseLoad: () => ({ up: true, queries: 0, seconds: 0 }),
    bus: {
      ...bus,
      publish(change) {
        onChange(change);
        bus.publish(change);
      },
    },
    counters: createWindowCounters(elapsed),
    postWebhook: post,
    // Looked up, because the clock is replaced.
    now: () => Date.now(),
    newId,
    log: pino({ level: "warn", base: null }, { write: onLog }),
    webRoot,
    times,
  });
  await app.start();
  return { app, database };
}

/** The stock of each counted item. */
export const INITIAL_STOCK = 7;

/** Gives the first items of a new database a stock, and adds a webhook for all checked events. */
export async function addStockAndWebhook(
  { db }: Pick<Database, "db">,
  stock: number,
  url: string,
): Promise<void> {
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto("webhooks")
    .values({
      id: "system",
      url,
      events: JSON.stringify(eventTypes),
      secret: `whsec_${btoa("a secret of the simulation")}`,
      is_on: 1,
      created_by: "admin",
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added === 0n) return;
  const first = db.selectFrom("items").select("id").orderBy("position").limit(COUNTED_ITEMS);
  await db.updateTable("items").set({ stock }).where("id", "in", first).execute();
}
