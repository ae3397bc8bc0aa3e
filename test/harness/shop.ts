import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { pino } from "pino";
import { type App, createApp } from "../../apps/server/src/app.ts";
import { loadSampleCatalogue } from "../../apps/server/src/catalogue/load-sample.ts";
import type { Config } from "../../apps/server/src/config.ts";
import type { Database } from "../../apps/server/src/db/database.ts";
import type { DeskConfig } from "../../apps/server/src/desk-config.ts";
import { openParts, type Parts, type StoredParts } from "../../apps/server/src/parts.ts";
import type { ConnectProvider } from "../../apps/server/src/payments/index.ts";
import { paymentTimes } from "../../apps/server/src/payments/payments.ts";
import { connectContractsApi } from "../../apps/server/src/payments/provider/contracts-api/contracts-api.ts";
import { eraseTimes } from "../../apps/server/src/privacy/erase-old-orders.ts";
import { createPost } from "../../apps/server/src/webhooks/post.ts";
import { type Lender, startLender } from "./lender.ts";
import { freePort } from "./network.ts";

const root = join(import.meta.dirname, "../..");

/** The built shop on a real SQLite file, with a real sandbox lender over HTTP, and its desk. */
export interface Shop extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly lender: Lender;
  readonly database: Database;
  /** Where the desk is, if it is open. */
  readonly desk: DeskConfig;
  /** The log so far, as JSON lines. */
  readonly logs: string[];
  /** Restarts the server on the same files and port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface ShopOptions {
  readonly config?: Partial<Config>;
  readonly times?: Partial<Parts["times"]>;
  readonly step?: number;
  /** Whether the desk is open, at a port of its own. */
  readonly desk?: boolean;
  /** Whether the shop sends mail, to the mailbox of the sandbox. */
  readonly mail?: boolean;
  /** Puts a proxy between the shop and its lender. @returns the URL that the shop uses */
  readonly between?: (lenderUrl: string) => Promise<string>;
  /** The folder of another build of the web app. */
  readonly webRoot?: string;
  /** The folder of a build of the desk. */
  readonly deskRoot?: string;
  /** The server's clock, for tests that set it. */
  readonly now?: Parts["now"];
  /** The adapter of a provider with another API than the sandbox's. */
  readonly connectProvider?: ConnectProvider;
}

const quickTimes: Parts["times"] = {
  ...paymentTimes,
  ...eraseTimes,
  keepFigures: 20,
  followed: 60,
  absent: 150,
  absentLongest: 300,
  unfollowed: 75,
  longest: 300,
  tick: 40,
  sweepTick: 40,
  sweep: 500,
  sweepLongest: 5_000,
  sweepRetry: 500,
  eraseTick: 50,
  erasePass: 200,
  erasePause: 0,
  expiryTick: 50,
  expiryPass: 200,
  expiryLongest: 1_000,
  heartbeat: 30_000,
  reread: 500,
  providerTimeout: 1_000,
  listStalled: 1_000,
  listTimeout: 60_000,
};

/** The settings of a desk at a free port of this machine. */
export async function deskConfig(): Promise<DeskConfig> {
  const port = await freePort();
  return { host: "127.0.0.1", port, url: `http://localhost:${port}`, link: false };
}

/** The settings of mail to an SMTP server on this machine. */
function mailTo(port: number): NonNullable<Config["mail"]> {
  const server = { host: "127.0.0.1", port, secure: false, login: undefined, isLoopback: true };
  return { server, from: { name: undefined, address: "orders@shop.example" } };
}

/** Starts a shop whose intervals are milliseconds instead of seconds. */
export async function startShop(options: ShopOptions = {}): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const smtpPort = options.mail === true ? await freePort() : undefined;
  const lender = await startLender({
    folder,
    shopOrigin: url,
    ...(smtpPort === undefined ? {} : { smtpPort }),
    ...(options.step === undefined ? {} : { step: options.step }),
  });
  const token = randomUUID();
  const desk = options.config?.desk ?? (await deskConfig());
  const logs: string[] = [];
  const config: Config = {
    host: "127.0.0.1",
    port,
    publicUrl: url,
    database: { kind: "sqlite", file: join(folder, "shop.db") },
    redisUrl: undefined,
    redisPrefix: undefined,
    orderExpiresHours: 72,
    overpaymentLimit: undefined,
    retainDays: undefined,
    loanProvider: "contracts-api",
    loanApiUrl: (await options.between?.(lender.url)) ?? lender.url,
    loanApiKey: lender.key,
    popupHosts: { mainnet: lender.url, test: lender.url },
    loanNetwork: "test",
    loanInviteCode: "beta",
    merchantToken: token,
    rateLimits: { orders: 100_000, ordersDaily: 100_000, sockets: 100_000 },
    maxSocketsPerAddress: 100_000,
    trustProxy: false,
    drainSeconds: 0,
    metricsToken: "metrics-token",
    sampleCatalogue: true,
    logLevel: "info",
    shopName: "Keepsats",
    shopContact: undefined,
    mail: smtpPort === undefined ? undefined : mailTo(smtpPort),
    webhooksPrivate: true,
    desk: options.desk === true ? desk : undefined,
    ...options.config,
  };

  const log = pino(
    { level: config.logLevel, base: null },
    { write: (line: string) => logs.push(line) },
  );

  async function open(): Promise<{ app: App; stored: StoredParts }> {
    const stored = await openParts(config, log);
    if (config.sampleCatalogue)
      await loadSampleCatalogue(stored.database, join(root, "catalogue/items.json"));
    const app = await createApp({
      ...stored,
      config,
      release: { version: "1.2.3", commit: "0123abc" },
      merchantToken: token,
      now: options.now ?? Date.now,
      newId: randomUUID,
      log,
      droppedLogLines: () => 0,
      webRoot: options.webRoot ?? join(root, "apps/web/dist"),
      deskRoot: options.deskRoot ?? join(root, "apps/desk/dist"),
      times: { ...quickTimes, ...options.times },
      connectProvider: options.connectProvider ?? connectContractsApi,
      postWebhook: createPost({ isPrivateAllowed: config.webhooksPrivate }),
    });
    await app.listen();
    return { app, stored };
  }

  let running = await open();
  async function close(): Promise<void> {
    await running.app.close();
    await running.stored.close();
    await lender.close();
    await rm(folder, { recursive: true });
  }
  return {
    url,
    token,
    folder,
    lender,
    logs,
    desk,
    get database() {
      return running.stored.database;
    },
    async restart() {
      await running.app.close();
      await running.stored.close();
      running = await open();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Gives an order, and all of its events, a status that this version need not know, as a newer
 * version would: directly in the database, without a message on the bus. The order's version
 * increases by 1.
 */
export function storeStatus({ folder }: Shop, orderId: string, status: string): void {
  const raw = new BetterSqlite3(join(folder, "shop.db"));
  try {
    raw
      .prepare("UPDATE orders SET status = ?, version = version + 1 WHERE id = ?")
      .run(status, orderId);
    raw.prepare("UPDATE order_events SET to_status = ? WHERE order_id = ?").run(status, orderId);
  } finally {
    raw.close();
  }
}
