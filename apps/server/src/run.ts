import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { type App, createApp } from "./app.ts";
import { isCatalogueEmpty } from "./catalogue/item-repository.ts";
import { loadSampleCatalogue } from "./catalogue/load-sample.ts";
import { ConfigError, readConfig } from "./config.ts";
import { merchantToken } from "./merchant-api/merchant-token.ts";
import { openParts, type StoredParts } from "./parts.ts";
import { paymentTimes } from "./payments/index.ts";
import { type LogOutput, openLogOutput } from "./telemetry/log-output.ts";
import { WebNotBuilt } from "./web/pages.ts";

const root = join(import.meta.dirname, "../../..");
/** How long stopping may take after the drain, in milliseconds. */
const STOP_WITHIN = 10_000;
/** How long whoever reads the log is waited for at the end, in milliseconds. */
const FLUSH_WITHIN = 1_000;
const streamTimes = {
  heartbeat: 30_000,
  reread: 30_000,
  providerTimeout: 4_000,
  listStalled: 120_000,
  listTimeout: 600_000,
};
const emptyCatalogue =
  'The catalogue is empty: fill it with "npm run merchant -- items import FILE.json" (catalogue/items.json is a sample).';

/** What there is so far of a server that may be stopped while it starts. */
interface Running {
  app?: App;
  stored?: StoredParts;
  output?: LogOutput;
  stopping?: boolean;
  /** How long stopping may take, in milliseconds. */
  stopWithin: number;
}

/** Runs one server process from its environment until it is told to stop. */
export async function run(): Promise<void> {
  const running: Running = { stopWithin: STOP_WITHIN };
  stopOnSignal(running);
  try {
    const config = readConfig(process.env);
    running.stopWithin = config.drainSeconds * 1000 + STOP_WITHIN;
    const output = openLogOutput();
    running.output = output;
    const log = pino({ level: config.logLevel, base: null }, output);
    const stored = await openParts(config, log);
    running.stored = stored;
    const token = merchantToken(config, (file) =>
      log.warn(
        { file },
        "the merchant's token could be read by others until now; delete the file to have a new one",
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
      merchantToken: token,
      now: Date.now,
      newId: randomUUID,
      log,
      droppedLogLines: () => output.dropped,
      webRoot: join(root, "apps/web/dist"),
      times: { ...paymentTimes, ...streamTimes },
    });
    await app.listen();
    running.app = app;
    output.write(`${config.shopName} is open at ${config.publicUrl}\n`);
    if (isEmpty) output.write(`${emptyCatalogue}\n`);
  } catch (error) {
    // What fails because its database was closed meanwhile is no fault.
    if (running.stopping === true) return;
    console.error(lineFor(error));
    await running.output?.flush(FLUSH_WITHIN);
    process.exit(1);
  }
}

/** From the first moment on: a server that waits for its database can be stopped too. */
function stopOnSignal(running: Running): void {
  async function stop(): Promise<void> {
    if (running.stopping === true) return;
    running.stopping = true;
    setTimeout(() => process.exit(1), running.stopWithin).unref();
    await running.app?.close();
    await running.stored?.close();
    await running.output?.flush(FLUSH_WITHIN);
    process.exit(0);
  }
  // SIGHUP is the end of the terminal that the server was started in.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
}

/** What to tell the person who starts the server: one line where the fault is theirs to mend, the whole error otherwise. */
function lineFor(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof WebNotBuilt) return error.message;
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "EADDRINUSE":
      return `PORT: ${Reflect.get(Object(error), "port")} is in use by another program; set PORT to a free one`;
    case "EACCES":
      if (!(error instanceof Error && "syscall" in error && error.syscall === "listen")) return error;
      return "PORT: this user may not listen on that port; set PORT to one above 1023";
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "HOST: takes a name or address of this machine, such as 127.0.0.1 or 0.0.0.0";
    default:
      return error;
  }
}
