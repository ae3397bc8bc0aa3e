import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createAdminServer } from "./admin-server.ts";
import type { Config } from "./config/config.ts";
import { createCatalogue, findVatRates } from "./modules/catalogue/index.ts";
import { createDeliveries } from "./modules/deliveries/index.ts";
import { createEmail } from "./modules/email/index.ts";
import { createOrderStatus } from "./modules/order-status/index.ts";
import { createOrders, hasOrders } from "./modules/orders/index.ts";
import {
  type ConnectProvider,
  createPayments,
  type PaymentTimes,
} from "./modules/payments/index.ts";
import { createPrivacy } from "./modules/privacy/index.ts";
import { createReports, type FigureTimes } from "./modules/reports/index.ts";
import { createSettings, receiptSettingsOf } from "./modules/settings/index.ts";
import { createStaff } from "./modules/staff/index.ts";
import { createWeb } from "./modules/web/index.ts";
import { createWebhooks, type Post } from "./modules/webhooks/index.ts";
import type { JobTimes } from "./platform/database/leased-batch-job.ts";
import { createLargeBodies } from "./platform/http/defences/large-bodies.ts";
import { clientAddress, closeServer, trustedProxies } from "./platform/http/server.ts";
import { withSafeErrors } from "./platform/observability/redaction.ts";
import { createPlatform, type PlatformOptions } from "./platform/platform.ts";
import { MINUTE } from "./platform/scheduling/clock.ts";
import { createStorefrontServer } from "./storefront-server.ts";

/** Wrong tokens per minute, for each address. */
const WRONG_TOKENS = 10;

/** Injected, so that tests can replace it. */
export interface AppOptions extends Omit<PlatformOptions, "rereadInterval"> {
  readonly config: Config;
  readonly adminToken: string;
  /** The folders of the built storefront and of the built admin. */
  readonly webRoot: string;
  readonly adminRoot: string;
  readonly times: AppTimes;
  /** The adapter of the configured loan provider. */
  readonly connectProvider: ConnectProvider;
  readonly postWebhook: Post;
}

/** In milliseconds. */
export interface AppTimes extends PaymentTimes, FigureTimes {
  readonly erase: JobTimes;
  /** The interval between two pings of an order's subscribers. */
  readonly pingInterval: number;
  /** The interval at which cached values are read again, in case the bus loses a message. */
  readonly rereadInterval: number;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The composition root: creates the platform and each module, and mounts their routes. */
export async function createApp(options: AppOptions) {
  const { config, release, times, adminToken, webRoot, adminRoot } = options;
  const { publicUrl, rateLimits, admin } = config;
  const log = withSafeErrors(options.log);
  const draining = new AbortController();
  const stopping = new AbortController();
  const platform = createPlatform({ ...options, log, rereadInterval: times.rereadInterval });
  const tokenGuard = {
    limit: platform.createLimit({ kind: "tokens", max: WRONG_TOKENS, window: MINUTE }),
    onRefused: platform.onRefused,
  };

  const largeBodies = createLargeBodies();
  const catalogue = await createCatalogue(platform, { publicUrl, webRoot, largeBodies });
  const settings = await createSettings(platform, {
    config,
    release,
    listPictures: catalogue.listPictures,
    hasOrders,
  });
  const timeZone = () => settings.shop.current().time_zone;
  const staff = createStaff(platform, {
    adminToken,
    admin,
    publicUrl,
    tokenGuard,
    settings: settings.shop,
  });
  const orders = await createOrders(platform, {
    stock: catalogue.stock,
    publicUrl,
    limits: rateLimits,
    returnDays: () => Number(settings.shop.current().return_days),
    timeZone,
  });
  const payments = createPayments(platform, {
    config,
    orders,
    times,
    connectProvider: options.connectProvider,
    receiptSettings: () => receiptSettingsOf(settings.shop.current()),
    findVatRates,
    timeZone,
    stopping: stopping.signal,
  });
  const orderStatus = createOrderStatus(platform, {
    orders,
    publicUrl,
    watch: payments.watch,
    pingInterval: times.pingInterval,
    limits: { perMinute: rateLimits.sockets, open: config.maxSocketsPerAddress },
  });
  const privacy = createPrivacy(platform, {
    orders,
    times: times.erase,
    retainDays: config.retainDays,
    clockAhead: payments.clockAhead,
  });
  const email = await createEmail(platform, {
    environment: config.mail,
    shopSettings: settings.shop,
    keyOf: orders.keys.keyOf,
    publicUrl,
    adminUrl: admin?.url,
  });
  const reports = createReports(platform, {
    times,
    timeZone,
    providerState: payments.providerState,
    sendsEmail: email.sendsEmail,
  });
  const webhooks = await createWebhooks(platform, {
    post: options.postWebhook,
    isPrivateAllowed: config.webhooksPrivate,
  });
  const deliveries = createDeliveries(platform);
  const web = await createWeb(platform, {
    config,
    root: webRoot,
    settings: settings.shop,
    catalogue,
  });

  function customerRoutes(app: FastifyInstance): void {
    orders.customerRoutes(app, payments.hooks);
    payments.customerRoutes(app);
    settings.customerRoutes(app);
  }
  /** Mounted twice: for API tokens, and for sessions. */
  function adminRoutes(app: FastifyInstance): void {
    for (const module of [reports, settings, payments, privacy, email, deliveries, webhooks])
      module.adminRoutes(app);
    catalogue.adminRoutes(app);
    orders.adminRoutes(app, payments.hooks);
    staff.adminRoutes(app, email);
  }
  const trusted = trustedProxies(config.trustProxy);
  const serverOptions = { platform, config, log, trusted, adminRoutes, draining: draining.signal };
  const storefront = await createStorefrontServer({
    ...serverOptions,
    customerRoutes,
    catalogue,
    web,
    tokenGuard,
    authenticate: staff.byToken,
    providerState: payments.providerState,
  });
  const sockets = orderStatus.serve(storefront.server, clientAddress(trusted));
  const { signIn } = staff;
  const adminServer =
    signIn && (await createAdminServer({ ...serverOptions, signIn, email, root: adminRoot }));
  const workers = [platform.outbox, payments, staff, privacy, catalogue].flatMap((one) =>
    "workers" in one ? one.workers : [one],
  );

  /** Starts the background workers without listening. */
  async function start(): Promise<void> {
    await storefront.ready();
    for (const worker of workers) worker.start();
  }

  return {
    /**
     * For callers in this process: `inject` sends a request, and an `upgrade` event of its server
     * opens a socket.
     */
    http: storefront,
    start,
    /** Listens on the ports of storefront and admin, and starts the background workers. */
    async listen(): Promise<void> {
      await adminServer?.listen();
      await storefront.listen({ host: config.host, port: config.port });
      await start();
    },
    sendsEmail: email.sendsEmail,
    newOwnerLink: staff.newOwnerLink,
    /**
     * Graceful shutdown: answers 503 at `/readyz`, keeps answering other requests for `drainSeconds`
     * while it closes the sockets, then finishes the requests in progress and stops the workers. The
     * caller closes the resources.
     */
    async close(): Promise<void> {
      draining.abort();
      // Sockets are closed evenly over the drain, so that their pages do not all reconnect at once.
      await Promise.all([drain(config, log), sockets.close(config.drainSeconds * 1000)]);
      adminServer?.live.close();
      stopping.abort();
      await Promise.all([
        closeServer(storefront),
        adminServer && closeServer(adminServer.fastify),
        ...workers.map((worker) => worker.stop()),
      ]);
      for (const module of [catalogue, settings, email, web, orderStatus, orders]) module.close();
      webhooks.close();
      platform.close();
    },
  };
}

/** Waits until the proxies in front have noticed the 503 and route requests to other servers. */
async function drain({ drainSeconds: seconds }: Config, log: FastifyBaseLogger): Promise<void> {
  if (seconds === 0) return;
  log.info({ seconds }, "stopping; requests are still answered until proxies have noticed");
  await pause(seconds * 1000);
}
