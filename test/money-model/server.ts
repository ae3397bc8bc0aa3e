/**
 * A server process for the model: the shop with the settings of its environment, whose intervals
 * are milliseconds instead of seconds and whose clock can be ahead. The test kills it with SIGKILL.
 */

import { pino } from "pino";
import { type AppTimes, createApp } from "../../apps/server/src/app.ts";
import { readConfig } from "../../apps/server/src/config/config.ts";
import { openResources } from "../../apps/server/src/platform/resources.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { addStockAndWebhook } from "../../simulation/shop.ts";
import { quickTimes } from "../harness/config.ts";
import { appDefaults, loadSample } from "../harness/shop.ts";

const { MODEL_AHEAD, MODEL_RECEIVER = "", MODEL_STOCK } = process.env;
/** How far the server's clocks are ahead of the machine's, in milliseconds. */
const ahead = Number(MODEL_AHEAD);
/** How long an order may wait for its payment, in milliseconds. */
const TERM = 60_000;

const times: AppTimes = {
  ...quickTimes,
  subscribedInterval: 100,
  minUnsubscribedInterval: 100,
  maxUnsubscribedInterval: 500,
  checkLeaseDuration: 1_000,
  minSweepPause: 150,
  maxSweepPause: 2_000,
  sweepBackoff: 300,
  // A killed server keeps the lease of its sweep for so long.
  sweepLeaseDuration: 900,
  expiry: { ...quickTimes.expiry, checkInterval: 100, runInterval: 500, taskDelay: 0 },
  providerTimeout: 2_000,
  listStallTimeout: 5_000,
  listTimeout: 30_000,
};

const config = { ...readConfig(process.env), orderExpiresHours: TERM / HOUR };
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
const resources = await openResources(config, log);
const database = { ...resources.database, now: () => resources.database.now() + ahead };
await loadSample(database);
await addStockAndWebhook(database, Number(MODEL_STOCK), MODEL_RECEIVER);
const app = await createApp({
  ...appDefaults(config),
  ...resources,
  database,
  log,
  times,
  now: () => Date.now() + ahead,
});
await app.listen();
console.log(`The shop is open at ${config.publicUrl}`);
