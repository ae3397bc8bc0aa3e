/**
 * A server process for the model: the shop with the settings of its environment, whose intervals
 * are milliseconds instead of seconds and whose clock can be ahead. The test kills it with SIGKILL.
 */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { type AppTimes, createApp } from "../../apps/server/src/app.ts";
import { readConfig } from "../../apps/server/src/config/config.ts";
import { loadSampleCatalogue } from "../../apps/server/src/modules/catalogue/load-sample.ts";
import { connectContractsApi } from "../../apps/server/src/modules/payments/provider/contracts-api/contracts-api.ts";
import { eraseTimes } from "../../apps/server/src/modules/privacy/index.ts";
import { createPost } from "../../apps/server/src/modules/webhooks/post.ts";
import type { Channel } from "../../apps/server/src/platform/outbox/channel.ts";
import { openResources } from "../../apps/server/src/platform/resources.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { MAILBOX } from "../../simulation/receiver.ts";
import { addWebhook } from "../../simulation/shop.ts";
import { quickTimes } from "../harness/config.ts";

const root = join(import.meta.dirname, "../..");
/** How far the server's clocks are ahead of the machine's, in milliseconds. */
const ahead = Number(process.env.MODEL_AHEAD ?? 0);
/** How long an order may wait for its payment, in milliseconds. */
const term = Number(process.env.MODEL_TERM ?? 72 * HOUR);
/** The receiver of all events. */
const receiver = process.env.MODEL_RECEIVER ?? "";

const times: AppTimes = {
  ...quickTimes,
  erase: eraseTimes,
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

/** Receives every event, as the mailbox of the simulation does. */
const mailbox: Channel = {
  name: "simulated",
  targetsOf: () => [MAILBOX],
  async deliver({ id }, signal) {
    const headers = { "webhook-id": id };
    await fetch(receiver, { method: "POST", headers, body: "{}", signal });
    return { kind: "delivered", answer: "taken" };
  },
  retryDelays: Array.from({ length: 100 }, () => 500),
  timeout: 5_000,
  concurrency: { total: 6, perTarget: 6 },
  perSecond: 1_000,
};

const config = { ...readConfig(process.env), orderExpiresHours: term / HOUR };
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
const resources = await openResources(config, log);
const { database } = resources;
await loadSampleCatalogue(database, join(root, "catalogue/items.json"));
await addWebhook(database, receiver);
const app = await createApp({
  ...resources,
  moreChannels: [mailbox],
  database: { ...database, now: () => database.now() + ahead },
  config,
  release: { version: "1.0.0", commit: "model" },
  adminToken: config.adminToken ?? "",
  now: () => Date.now() + ahead,
  newId: randomUUID,
  log,
  droppedLogLines: () => 0,
  webRoot: join(root, "apps/storefront/dist"),
  adminRoot: join(root, "apps/admin/dist"),
  times,
  connectProvider: connectContractsApi,
  postWebhook: createPost({ isPrivateAllowed: config.webhooksPrivate }),
});
await app.listen();
console.log(`The shop is open at ${config.publicUrl}`);
