/**
 * A server process for the model: the shop with the settings of its environment, whose intervals
 * are milliseconds instead of seconds and whose clock can be ahead. The test kills it with SIGKILL.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { createApp } from "../../apps/server/src/app.ts";
import { loadSampleCatalogue } from "../../apps/server/src/catalogue/load-sample.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import { figureTimes } from "../../apps/server/src/orders/index.ts";
import { openParts, type Parts } from "../../apps/server/src/parts.ts";
import { paymentTimes } from "../../apps/server/src/payments/index.ts";
import { connectContractsApi } from "../../apps/server/src/payments/provider/contracts-api/contracts-api.ts";
import { eraseTimes } from "../../apps/server/src/privacy/erase-old-orders.ts";
import { createPost } from "../../apps/server/src/webhooks/post.ts";

const root = join(import.meta.dirname, "../..");
const HOUR = 60 * 60_000;
/** How far the server's clocks are ahead of the machine's, in milliseconds. */
const ahead = Number(process.env.MODEL_AHEAD ?? 0);
/** How long an order may wait for its payment, in milliseconds. */
const term = Number(process.env.MODEL_TERM ?? 72 * HOUR);

const times: Parts["times"] = {
  ...paymentTimes,
  ...eraseTimes,
  ...figureTimes,
  keepFigures: 20,
  followed: 100,
  absent: 150,
  absentLongest: 300,
  unfollowed: 100,
  longest: 500,
  lease: 1_000,
  tick: 40,
  sweepTick: 40,
  sweep: 150,
  sweepLongest: 2_000,
  sweepRetry: 300,
  // A killed server keeps the lease of its sweep for so long.
  sweepLease: 900,
  expiryTick: 100,
  expiryPass: 500,
  expiryLongest: 1_000,
  expiryPause: 0,
  heartbeat: 30_000,
  reread: 500,
  providerTimeout: 2_000,
  listStalled: 5_000,
  listTimeout: 30_000,
};

const config = { ...readConfig(process.env), orderExpiresHours: term / HOUR };
const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }));
const stored = await openParts(config, log);
const { database } = stored;
await loadSampleCatalogue(database, join(root, "catalogue/items.json"));
const app = await createApp({
  ...stored,
  database: { ...database, now: () => database.now() + ahead },
  config,
  release: { version: "1.0.0", commit: "model" },
  merchantToken: config.merchantToken ?? "",
  now: () => Date.now() + ahead,
  newId: randomUUID,
  log,
  droppedLogLines: () => 0,
  webRoot: join(root, "apps/web/dist"),
  deskRoot: join(root, "apps/desk/dist"),
  times,
  connectProvider: connectContractsApi,
  postWebhook: createPost({ isPrivateAllowed: config.webhooksPrivate }),
});
await app.listen();
console.log(`The shop is open at ${config.publicUrl}`);
