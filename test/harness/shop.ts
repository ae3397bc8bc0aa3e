import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { pino } from "pino";
import { type App, type AppOptions, type AppTimes, createApp } from "../../apps/server/src/app.ts";
import type { AdminConfig } from "../../apps/server/src/config/admin-config.ts";
import type { Config } from "../../apps/server/src/config/config.ts";
import { loadSampleCatalogue } from "../../apps/server/src/modules/catalogue/load-sample.ts";
import type { ConnectProvider } from "../../apps/server/src/modules/payments/index.ts";
import { connectContractsApi } from "../../apps/server/src/modules/payments/provider/contracts-api/contracts-api.ts";
import { createPost } from "../../apps/server/src/modules/webhooks/post.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { openResources, type Resources } from "../../apps/server/src/platform/resources.ts";
import { aConfig, ORDER_EXPIRES_HOURS, quickTimes } from "./config.ts";
import { freePort } from "./network.ts";
import { startSandbox } from "./sandbox.ts";

const root = join(import.meta.dirname, "../..");

/** A shop in the test's process, on a real database, with a real sandbox over HTTP, and its admin. */
export type Shop = Awaited<ReturnType<typeof startShop>>;

export interface ShopOptions {
  readonly config?: Partial<Config>;
  readonly times?: Partial<AppTimes>;
  readonly step?: number;
  /** Whether the admin is open, at a port of its own. */
  readonly admin?: boolean;
  /** Whether the shop sends mail, to the mailbox of the sandbox. */
  readonly mail?: boolean;
  /** Puts a proxy between the shop and its loan provider. Returns the URL that the shop uses. */
  readonly between?: (sandboxUrl: string) => Promise<string>;
  /** The folder of another build of the web app. */
  readonly webRoot?: string;
  /** The folder of a build of the admin. */
  readonly adminRoot?: string;
  /** The server's clock, for tests that set it. */
  readonly now?: AppOptions["now"];
  /** The adapter of a provider with another API than the sandbox's. */
  readonly connectProvider?: ConnectProvider;
}

/** For jobs that have nothing to do: each run costs processor time, in every test that runs. */
const seldom = 60_000;
const timesOf = ({ orderExpiresHours }: Config): AppTimes =>
  orderExpiresHours === ORDER_EXPIRES_HOURS
    ? { ...quickTimes, expiry: { ...quickTimes.expiry, checkInterval: seldom } }
    : quickTimes;

/** The settings of an admin at a free port of this machine. */
export async function adminConfig(): Promise<AdminConfig> {
  const port = await freePort();
  return { host: "127.0.0.1", port, url: `http://localhost:${port}`, link: false };
}

/** The settings of mail to an SMTP server on this machine. */
function mailTo(port: number): Config["mail"] {
  const server = { host: "127.0.0.1", port, secure: false, login: undefined, isLoopback: true };
  return { server, from: { name: undefined, address: "orders@shop.example" } };
}

export function loadSample(database: Database): Promise<number> {
  return loadSampleCatalogue(database, join(root, "catalogue/items.json"));
}

/** The options of an app that few tests replace. */
export function appDefaults(config: Config) {
  return {
    config,
    release: { version: "1.2.3", commit: "0123abc" },
    adminToken: config.adminToken ?? "",
    now: Date.now,
    newId: randomUUID,
    droppedLogLines: () => 0,
    webRoot: join(root, "apps/storefront/dist"),
    adminRoot: join(root, "apps/admin/dist"),
    connectProvider: connectContractsApi,
    postWebhook: createPost({ isPrivateAllowed: config.webhooksPrivate }),
  };
}

/** Starts a shop whose intervals are milliseconds instead of seconds. */
export async function startShop(options: ShopOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const smtpPort = options.mail === true ? await freePort() : undefined;
  const sandbox = await startSandbox({
    folder,
    shopOrigin: url,
    ...(smtpPort === undefined ? {} : { smtpPort }),
    ...(options.step === undefined ? {} : { step: options.step }),
  });
  const token: string = randomUUID();
  const admin = options.config?.admin ?? (await adminConfig());
  const logs: string[] = [];
  const config = aConfig({
    port,
    publicUrl: url,
    database: { kind: "sqlite", file: join(folder, "shop.db") },
    loanApiUrl: (await options.between?.(sandbox.url)) ?? sandbox.url,
    loanApiKey: sandbox.key,
    popupHosts: { mainnet: sandbox.url, test: sandbox.url },
    adminToken: token,
    metricsToken: "metrics-token",
    webhooksPrivate: true,
    ...(smtpPort === undefined ? {} : { mail: mailTo(smtpPort) }),
    ...(options.admin === true ? { admin } : {}),
    ...options.config,
  });

  const log = pino(
    { level: config.logLevel, base: null },
    { write: (line: string) => logs.push(line) },
  );

  async function open(): Promise<{ app: App; stored: Resources }> {
    const stored = await openResources(config, log);
    if (config.sampleCatalogue) await loadSample(stored.database);
    const times = { ...timesOf(config), ...options.times };
    const app = await createApp({
      ...appDefaults(config),
      ...options,
      ...stored,
      config,
      log,
      times,
    });
    await app.listen();
    return { app, stored };
  }

  let running = await open();
  async function close(): Promise<void> {
    await running.app.close();
    await running.stored.close();
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
  return {
    url,
    token,
    folder,
    sandbox,
    /** The log so far, as JSON lines. */
    logs,
    /** Where the admin is, if it is open. */
    admin,
    get database() {
      return running.stored.database;
    },
    async metrics() {
      const headers = { authorization: `Bearer ${config.metricsToken}` };
      return (await fetch(`${url}/metrics`, { headers })).text();
    },
    /** Restarts the server on the same files and port. */
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
