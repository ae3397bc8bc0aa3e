import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import manifest from "../package.json" with { type: "json" };
import { type App, createApp } from "./app.ts";
import { isCatalogueEmpty } from "./catalogue/item-repository.ts";
import { loadSampleCatalogue } from "./catalogue/load-sample.ts";
import { type Config, readConfig } from "./config.ts";
import { ConfigError } from "./environment.ts";
import { codeOf } from "./errors.ts";
import { merchantToken } from "./merchant-api/merchant-token.ts";
import { figureTimes } from "./orders/index.ts";
import { openParts, type StoredParts } from "./parts.ts";
import { type ConnectProvider, paymentTimes } from "./payments/index.ts";
import { providerNamed, providerNames } from "./payments/provider/index.ts";
import { eraseTimes } from "./privacy/erase-old-orders.ts";
import { type LogOutput, openLogOutput } from "./telemetry/log-output.ts";
import { WebNotBuilt } from "./web/page-template.ts";
import { createPost } from "./webhooks/post.ts";

/**
 * The timeout for stopping after the drain, in milliseconds; then the process exits with code 1.
 */
const STOP_TIMEOUT = 10_000;
/** The timeout for writing the rest of the log before the exit, in milliseconds. */
const FLUSH_TIMEOUT = 1_000;
const streamTimes = {
  heartbeat: 30_000,
  reread: 30_000,
  providerTimeout: 4_000,
  listStalled: 120_000,
  listTimeout: 600_000,
};
const emptyCatalogue =
  'The catalogue is empty: fill it with "npm run merchant -- items import FILE.json" (catalogue/items.json is a sample).';
const noMail = "No mail is sent: set SMTP_URL and MAIL_FROM to change that.";

/** The parts that have started so far; a signal may stop the server while it starts. */
interface Running {
  app?: App;
  stored?: StoredParts;
  output?: LogOutput;
  stopping?: boolean;
  /** The timeout for stopping, the drain included, in milliseconds. */
  stopTimeout: number;
}

/**
 * Starts one server process with the settings from its environment. It runs until a signal stops
 * it.
 *
 * @param root the folder of the repository, with the built web apps and the sample catalogue
 * @param commit from which the server was built
 */
export async function run(root: string, commit = "unknown"): Promise<void> {
  const running: Running = { stopTimeout: STOP_TIMEOUT };
  stopOnSignal(running);
  try {
    const config = readConfig(process.env);
    const connectProvider = chooseProvider(config);
    running.stopTimeout = config.drainSeconds * 1000 + STOP_TIMEOUT;
    const base = { server: `${hostname()}:${config.port}` };
    const output = openLogOutput(base);
    running.output = output;
    const log = pino({ level: config.logLevel, base }, output);
    const stored = await openParts(config, log);
    running.stored = stored;
    const token = merchantToken(config, (file) =>
      log.warn(
        { file },
        "other users could read the merchant's token until now; delete the file to get a new token",
      ),
    );
    if (config.sampleCatalogue) {
      const added = await loadSampleCatalogue(stored.database, join(root, "catalogue/items.json"));
      if (added > 0) log.info({ items: added }, "the sample catalogue is loaded");
    }
    const isEmpty = await isCatalogueEmpty(stored.database.db);
    const app = await createApp({
      ...stored,
      config,
      release: { version: manifest.version, commit },
      merchantToken: token,
      now: Date.now,
      newId: randomUUID,
      log,
      droppedLogLines: () => output.dropped,
      webRoot: join(root, "apps/web/dist"),
      deskRoot: join(root, "apps/desk/dist"),
      times: {
        ...paymentTimes,
        ...streamTimes,
        ...eraseTimes,
        ...figureTimes,
      },
      connectProvider,
      postWebhook: createPost({ isPrivateAllowed: config.webhooksPrivate }),
    });
    await app.listen();
    running.app = app;
    const signIn =
      config.desk?.link === true
        ? `Sign in at its desk, once within ten minutes: ${await app.newDeskLink()}\n`
        : "";
    output.write(`${config.shopName} is open at ${config.publicUrl}\n${signIn}`);
    if (config.mail === undefined) output.write(`${noMail}\n`);
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
    `LOAN_PROVIDER: got "${loanProvider}", takes one of ${providerNames.join(", ")}`,
  );
}

/**
 * Installed before anything starts, so that a server that waits for its database can be stopped
 * too.
 */
function stopOnSignal(running: Running): void {
  async function stop(): Promise<void> {
    if (running.stopping === true) return;
    running.stopping = true;
    setTimeout(() => process.exit(1), running.stopTimeout).unref();
    await running.app?.close();
    await running.stored?.close();
    await running.output?.flush(FLUSH_TIMEOUT);
    process.exit(0);
  }
  // SIGHUP: the terminal in which the server was started has been closed.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
}

/**
 * What to print for an error at the start: one line for a wrong setting, the whole error with its
 * stack otherwise.
 */
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
      return "HOST: takes a name or address of this machine, such as 127.0.0.1 or 0.0.0.0";
    default:
      return error;
  }
}
