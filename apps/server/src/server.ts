import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import manifest from "../package.json" with { type: "json" };
import { type App, createApp } from "./app.ts";
import { type Config, readConfig } from "./config/config.ts";
import { ConfigError } from "./config/environment.ts";
import { isCatalogueEmpty, loadSampleCatalogue } from "./modules/catalogue/index.ts";
import { type ConnectProvider, paymentTimes } from "./modules/payments/index.ts";
import { providerNamed, providerNames } from "./modules/payments/provider/index.ts";
import { eraseTimes } from "./modules/privacy/index.ts";
import { figureTimes } from "./modules/reports/index.ts";
import { adminToken } from "./modules/staff/index.ts";
import { WebNotBuilt } from "./modules/web/index.ts";
import { createPost } from "./modules/webhooks/index.ts";
import { codeOf } from "./platform/errors.ts";
import { type LogOutput, openLogOutput } from "./platform/observability/log-output.ts";
import { openResources, type Resources } from "./platform/resources.ts";

/** The timeout of the shutdown after the drain, in milliseconds; the process then exits with 1. */
const STOP_TIMEOUT = 10_000;
/** The timeout for flushing the log before the exit, in milliseconds. */
const FLUSH_TIMEOUT = 1_000;
const streamTimes = { pingInterval: 30_000, rereadInterval: 30_000 };
const emptyCatalogue =
  'The catalogue is empty: fill it with "npm run cli -- items import FILE.json" (catalogue/items.json is a sample).';
const noEmail =
  "No email is sent: set mail server and sender in the admin, or SMTP_URL and MAIL_FROM.";

/** The parts started so far: a signal may stop the server while it starts. */
interface Running {
  app?: App;
  resources?: Resources;
  output?: LogOutput;
  stopping?: boolean;
  /** The timeout of the shutdown with the drain, in milliseconds. */
  stopTimeout: number;
}

/**
 * Runs one server process, configured by its environment, until a signal stops it.
 *
 * @param root the folder of the repository, with the built web apps and the sample catalogue
 * @param commit the commit of the build
 */
export async function run(root: string, commit = "unknown"): Promise<void> {
  const running: Running = { stopTimeout: STOP_TIMEOUT };
  stopOnSignal(running);
  try {
    const config = readConfig(process.env);
    const connectProvider = chooseProvider(config);
    running.stopTimeout = config.drainSeconds * 1000 + STOP_TIMEOUT;
    const output = openLogOutput();
    running.output = output;
    const base = { server: `${hostname()}:${config.port}` };
    const log = pino({ level: config.logLevel, base }, output);
    const resources = await openResources(config, log);
    running.resources = resources;
    const token = adminToken(config, (file) =>
      log.warn(
        { file },
        "other users could read the admin token until now; delete the file to get a new token",
      ),
    );
    if (config.sampleCatalogue) {
      const added = await loadSampleCatalogue(
        resources.database,
        join(root, "catalogue/items.json"),
      );
      if (added > 0) log.info({ items: added }, "the sample catalogue is loaded");
    }
    const isEmpty = await isCatalogueEmpty(resources.database.db);
    const app = await createApp({
      ...resources,
      config,
      release: { version: manifest.version, commit },
      adminToken: token,
      now: Date.now,
      newId: randomUUID,
      log,
      droppedLogLines: () => output.dropped,
      webRoot: join(root, "apps/storefront/dist"),
      adminRoot: join(root, "apps/admin/dist"),
      times: {
        ...paymentTimes,
        ...streamTimes,
        erase: eraseTimes,
        ...figureTimes,
      },
      connectProvider,
      postWebhook: createPost({ isPrivateAllowed: config.webhooksPrivate }),
    });
    await app.listen();
    running.app = app;
    const signIn =
      config.admin?.link === true
        ? `Sign in to the admin, once within ten minutes: ${await app.newOwnerLink()}\n`
        : "";
    output.write(`${config.shopName} is open at ${config.publicUrl}\n${signIn}`);
    if (!app.sendsEmail()) output.write(`${noEmail}\n`);
    if (isEmpty) output.write(`${emptyCatalogue}\n`);
  } catch (error) {
    // While the server stops, starting may fail because the database is closed.
    if (running.stopping === true) return;
    console.error(messageFor(error));
    await running.output?.flush(FLUSH_TIMEOUT);
    process.exit(1);
  }
}

function chooseProvider({ loanProvider }: Config): ConnectProvider {
  const provider = providerNamed(loanProvider);
  if (provider !== undefined) return provider;
  throw new ConfigError(
    `LOAN_PROVIDER: got "${loanProvider}", expected one of ${providerNames.join(", ")}`,
  );
}

/** Installed first, so that a server that waits for its database can be stopped too. */
function stopOnSignal(running: Running): void {
  async function stop(): Promise<void> {
    if (running.stopping === true) return;
    running.stopping = true;
    setTimeout(() => process.exit(1), running.stopTimeout).unref();
    await running.app?.close();
    await running.resources?.close();
    await running.output?.flush(FLUSH_TIMEOUT);
    process.exit(0);
  }
  // SIGHUP: the terminal in which the server was started has been closed.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
}

/** One line for an invalid configuration, otherwise the error with its stack. */
function messageFor(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof WebNotBuilt) return error.message;
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `PORT: ${Reflect.get(Object(error), "port")} is in use by another program; set PORT to a free one`;
    case "EACCES":
      if (!(error instanceof Error && "syscall" in error && error.syscall === "listen"))
        return error;
      return "PORT: this user may not listen on that port; set PORT to one above 1023";
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "HOST: expected a name or address of this machine, such as 127.0.0.1 or 0.0.0.0";
    default:
      return error;
  }
}
