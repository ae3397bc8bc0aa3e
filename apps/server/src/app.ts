import { setTimeout as pause } from "node:timers/promises";
import { shortOrderId } from "@keepsats/domain";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { Bus } from "./bus/bus.ts";
import { pricesOf } from "./catalogue/item-repository.ts";
import { createCatalogueListing } from "./catalogue/listing.ts";
import { listPictures } from "./catalogue/pictures.ts";
import { type Clock, elapsed } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { isDatabaseUnavailable } from "./db/faults.ts";
import { readInGroups } from "./db/in-groups.ts";
import { clientAddress, type TrustProxy, trustedProxies } from "./http/client-address.ts";
import { createGuardedServer } from "./http/connections.ts";
import { healthRoutes } from "./http/health.ts";
import { collectMethods, sendNotFound } from "./http/methods.ts";
import { createMetrics, metricsRoute } from "./http/metrics.ts";
import { openApiRoute } from "./http/openapi-route.ts";
import { handleError } from "./http/problems.ts";
import { refuseUnknownQueries } from "./http/queries.ts";
import type { Refusal } from "./http/refusal.ts";
import { guardScope } from "./http/scope.ts";
import { dataHeaders } from "./http/security-headers.ts";
import { createLimit, type Rule } from "./limits/limit.ts";
import { DAY, MINUTE, type Windows } from "./limits/windows.ts";
import { merchantRoutes } from "./merchant-api/routes.ts";
import { createOrderStream } from "./order-stream/order-stream.ts";
import { serveOrderSockets } from "./order-stream/sockets.ts";
import {
  type AnswerTimes,
  countByStatus,
  createChangeStatuses,
  createForgetAnswers,
  createNoteAttemptOver,
  createPlaceOrder,
  findStates,
  openOrderKeys,
} from "./orders/index.ts";
import {
  type ConnectProvider,
  countMismatches,
  createCallBudget,
  createCurrentUser,
  createLoanProvider,
  createPayments,
  createRecordNotUnderstood,
  createRecordRefundsOwed,
  createSharedCallBudget,
  type NotUnderstood,
  overdueBy,
  type PaymentTimes,
  readProviderState,
  readSweepState,
  writeProviderState,
} from "./payments/index.ts";
import { catalogueRoutes } from "./shop-api/item-routes.ts";
import { currentUserRoutes, RETRY_AFTER_SECONDS } from "./shop-api/me-routes.ts";
import { orderRoutes } from "./shop-api/order-routes.ts";
import type { DatabaseLoad } from "./telemetry/database.ts";
import { withSafeErrors } from "./telemetry/faults-in-log.ts";
import { createMismatchLog } from "./telemetry/mismatches.ts";
import { createProviderLog } from "./telemetry/provider.ts";
import { createRefusalLog } from "./telemetry/refusals.ts";
import { followedOrders, merchantCatalogue, merchantOrders } from "./views.ts";
import { keepAssets } from "./web/kept-assets.ts";
import { isPage, servePages } from "./web/pages.ts";

/** The dependencies of the shop that its caller provides; tests provide their own. */
export interface Parts {
  readonly config: Config;
  readonly merchantToken: string;
  readonly database: Database;
  readonly databaseLoad: () => DatabaseLoad;
  readonly bus: Bus;
  /** The counters of the rate limits. */
  readonly windows: Windows;
  readonly now: Clock;
  readonly newId: () => string;
  readonly log: FastifyBaseLogger;
  /** The number of dropped log lines. */
  readonly droppedLogLines: () => number;
  /** The folder of the built web app. */
  readonly webRoot: string;
  readonly times: PaymentTimes & StreamTimes & AnswerTimes;
  /** The adapter of the configured loan provider. */
  readonly connectProvider: ConnectProvider;
}

/** In milliseconds. */
export interface StreamTimes {
  readonly heartbeat: number;
  readonly reread: number;
  /** The timeout for one answer of the loan provider. */
  readonly providerTimeout: number;
  /** The timeout for the first part of the provider's list, and between two parts of it. */
  readonly listStalled: number;
  /** The timeout for the whole list. */
  readonly listTimeout: number;
}

/** The complete server. */
export interface App {
  /** The HTTP server, for callers in this process: `inject` sends a request, an `upgrade` event of its server opens a socket. */
  readonly http: Pick<FastifyInstance, "inject" | "server">;
  /** Starts the background tasks, such as reconciling, without listening. */
  start(): Promise<void>;
  /** Starts listening and the background tasks. */
  listen(): Promise<void>;
  /**
   * Answers 503 at `/readyz` and keeps answering other requests for `drainSeconds`, while it closes the followers' sockets.
   * Then finishes the requests in progress and stops reconciling. The caller closes the database, the bus and the counters.
   */
  close(): Promise<void>;
}

configureSchemas(en());

const PROVIDER_CALLS_PER_SECOND = 5;
/** The timeout for requests in progress when the server stops, in milliseconds. */
const STOP_TIMEOUT = 6_000;
const BODY_LIMIT = 64 * 1024;
/** The rate limit for wrong tokens per address and minute. */
const WRONG_TOKENS = 10;

/** The composition root: creates all features and passes to each the functions of others that it needs. */
export async function createApp(outside: Parts): Promise<App> {
  const parts = { ...outside, log: withSafeErrors(outside.log) };
  const draining = new AbortController();
  const stopping = new AbortController();
  const features = await wireFeatures(parts, stopping.signal);
  const trusted = trustedProxies(parts.config.trustProxy);
  const fastify = await buildHttp(parts, features, { trusted, draining: draining.signal });
  const { payments, forgetAnswers, stream, listing, keptAssets } = features;
  const sockets = serveOrderSockets(fastify.server, {
    stream,
    publicUrl: parts.config.publicUrl,
    limit: features.limited({ kind: "sockets", most: parts.config.rateLimits.sockets, within: MINUTE }),
    onRefused: features.refusals.refused,
    most: parts.config.maxSocketsPerAddress,
    addressOf: clientAddress(trusted),
    heartbeat: parts.times.heartbeat,
  });

  async function start(): Promise<void> {
    await fastify.ready();
    payments.reconciler.start();
    forgetAnswers.start();
  }

  return {
    http: fastify,
    start,
    async listen() {
      await fastify.listen({ host: parts.config.host, port: parts.config.port });
      await start();
    },
    async close() {
      draining.abort();
      // Sockets are closed one after another during the drain, so that their pages do not all reconnect at once.
      await Promise.all([drain(parts), sockets.close(parts.config.drainSeconds * 1000)]);
      stopping.abort();
      payments.watches.close();
      await Promise.all([closeServer(fastify), payments.reconciler.stop(), forgetAnswers.stop()]);
      features.mismatches.close();
      listing.close();
      keptAssets.close();
      stream.close();
      features.refusals.close();
    },
  };
}

/** Waits until the proxies in front have noticed that this server is stopping, and route visitors to others. */
async function drain({ config, log }: Parts): Promise<void> {
  if (config.drainSeconds === 0) return;
  log.info(
    { seconds: config.drainSeconds },
    "stopping; requests are still answered until proxies have noticed",
  );
  await pause(config.drainSeconds * 1000);
}

type Features = Awaited<ReturnType<typeof wireFeatures>>;

/** Creates all features from the parts, and passes to each the functions of others that it needs. */
async function wireFeatures(parts: Parts, stopping: AbortSignal) {
  const { config, database, databaseLoad, bus, now, newId, log, times } = parts;
  const { db } = database;
  const startedAt = database.now();
  const onError = (error: unknown) => {
    // The database observer logs an outage once; here it would be logged for each of thousands of waiting callers.
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, "work in the background failed");
  };
  const metrics = createMetrics({
    followers: () => stream.followers,
    ordersByStatus: () => countByStatus(db),
    openMismatches: () => countMismatches(db),
    reconcileLag: async () => (await overdueBy(db, database.now())) / 1000,
    lastCompleteSweep: async () => {
      const { ended } = await readSweepState(db);
      // A time in the future was stored before the clock was set back.
      const since = ended === 0 || ended > database.now() ? startedAt : ended;
      return (database.now() - since) / 1000;
    },
    providerUp: async () => (await providerState()) !== "away",
    clockOffsets: () => ({
      database: (Date.now() - database.now()) / 1000,
      provider: providerLog.clockOffset(),
    }),
    bus: () => bus.health,
    database: databaseLoad,
    droppedLogLines: parts.droppedLogLines,
  });
  const refusals = createRefusalLog({ log, metrics, now: elapsed });
  const limited = (...rules: Rule<Refusal>[]) =>
    createLimit(rules, { windows: parts.windows, now: elapsed, onRefused: refusals.refused });
  const providerLog = createProviderLog({
    log,
    metrics,
    store: (state) => void writeProviderState(db, state).catch(onError),
  });
  const providerState = async () => (await readProviderState(db)) ?? providerLog.state();
  const mismatches = createMismatchLog({ log, metrics });
  const recordNotUnderstood = createRecordNotUnderstood({ database, now, onMismatch: mismatches.recorded });
  async function onNotUnderstood(entries: readonly NotUnderstood[], mostRecorded: number): Promise<void> {
    providerLog.notUnderstood(entries);
    if (mostRecorded > 0) await recordNotUnderstood(entries.slice(0, mostRecorded));
  }
  const timeouts = { answer: times.providerTimeout, stalled: times.listStalled, list: times.listTimeout };
  const api = parts.connectProvider({
    apiUrl: config.loanApiUrl,
    apiKey: config.loanApiKey,
    timeouts,
    onTime: providerLog.providerTime,
  });
  const provider = createLoanProvider(api, {
    budget:
      config.database.kind === "postgres"
        ? createSharedCallBudget(database, PROVIDER_CALLS_PER_SECOND, database.now)
        : createCallBudget(PROVIDER_CALLS_PER_SECOND, elapsed),
    timeouts,
    stopping,
    onAnswer: providerLog.answered,
    onNotUnderstood: (entry) => void onNotUnderstood([entry], 1).catch(onError),
    onError,
  });
  const changeStatuses = createChangeStatuses({
    bus,
    now,
    onChanged: ({ orderId, from, to, by, age }) => {
      metrics.statusChanges.inc({ to });
      if (to === "PaymentProcessed") metrics.orderToPaid.observe(Math.max(0, age) / 1000);
      log.info({ order: shortOrderId(orderId), from, to, by }, "order moved");
    },
  });
  const stateOf = readInGroups((ids: readonly string[]) => findStates(db, ids));
  const payments = createPayments({
    database,
    provider,
    now,
    leaseNow: database.now,
    times,
    changeStatuses,
    noteAttemptOver: createNoteAttemptOver({ bus }),
    statusOf: async (orderId) => (await stateOf(orderId))?.status,
    onMismatch: mismatches.recorded,
    onNotUnderstood,
    onError,
  });
  const { keyOf, isKeyOf } = await openOrderKeys(database);
  const stream = createOrderStream({
    bus,
    isKeyOf,
    readOrder: readInGroups((ids: readonly string[]) => followedOrders(db, ids)),
    versionsOf: (ids) => findStates(db, ids),
    watch: payments.watches.watch,
    onError,
    reread: times.reread,
  });
  const retryAfter = RETRY_AFTER_SECONDS * 1000;
  const currentUser = createCurrentUser({ provider, now: elapsed, retryAfter });
  const listing = await createCatalogueListing({
    db,
    bus,
    headers: dataHeaders,
    onError,
    reread: times.reread,
  });
  return {
    metrics,
    mismatches,
    providerState,
    refusals,
    limited,
    payments,
    forgetAnswers: createForgetAnswers({ database, times, onError }),
    stream,
    currentUser,
    listing,
    keptAssets: await keepAssets({ db, root: parts.webRoot, now: database.now, log, onError }),
    placeOrder: createPlaceOrder({ database, pricesOf, now, newId }),
    keyOf,
    merchant: {
      orders: merchantOrders({
        database,
        changeStatuses,
        recordRefundsOwed: createRecordRefundsOwed({ now, onMismatch: mismatches.recorded }),
      }),
      catalogue: merchantCatalogue({
        database,
        bus,
        listPictures: () => listPictures(parts.webRoot),
        listingSettled: listing.settled,
      }),
    },
  };
}

interface HttpOptions {
  readonly trusted: TrustProxy;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal;
}

/** Builds the HTTP server: the list of items in a scope without hooks, for speed, and all other routes behind the hooks. */
async function buildHttp(parts: Parts, features: Features, { trusted, draining }: HttpOptions) {
  const { config, database, bus, log } = parts;
  const { metrics, providerState, listing, placeOrder, keyOf, currentUser, merchant, limited, refusals } =
    features;
  const guard = {
    limit: limited({ kind: "tokens", most: WRONG_TOKENS, within: MINUTE }),
    onRefused: refusals.refused,
  };
  const fastify = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: trusted,
    forceCloseConnections: "idle",
    // Requests on open connections are answered normally; Fastify's own 503 is not a problem document.
    return503OnClosing: false,
    serverFactory: (handler) =>
      createGuardedServer(handler, {
        isProxy: (address) => trusted(address, 0),
        isDraining: () => draining.aborted,
      }),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => handleError(error, request.log, reply),
  });
  fastify.removeContentTypeParser("text/plain");
  fastify.setErrorHandler((error, request, reply) => handleError(error, request.log, reply));
  const methodsOf = collectMethods(fastify, isPage);
  const notFound = (request: FastifyRequest, reply: FastifyReply) => sendNotFound(request, reply, methodsOf);
  fastify.setNotFoundHandler(notFound);
  await fastify.register(async (hot) => catalogueRoutes(hot, { listing, onServed: metrics.itemsServed }));
  await fastify.register(async (scope) => {
    await guardScope(scope, { config, metrics });
    await scope.register(async (api) => {
      refuseUnknownQueries(api);
      orderRoutes(api, {
        placeOrder,
        keyOf,
        limit: limited(
          { kind: "orders", most: config.rateLimits.orders, within: MINUTE },
          { kind: "orders-daily", most: config.rateLimits.ordersDaily, within: DAY },
        ),
        publicUrl: config.publicUrl,
      });
      currentUserRoutes(api, { currentUser });
    });
    healthRoutes(scope, {
      checkDatabase: database.check,
      bus: () => bus.health.connected,
      provider: providerState,
      isStopping: () => draining.aborted,
    });
    metricsRoute(scope, { metrics, token: config.metricsToken, guard });
    openApiRoute(scope, { publicUrl: config.publicUrl });
    await scope.register(async (guarded) =>
      merchantRoutes(guarded, { token: parts.merchantToken, guard, ...merchant }),
    );
    await servePages(scope, {
      root: parts.webRoot,
      keptAssets: features.keptAssets,
      notFound,
      publicUrl: config.publicUrl,
      firstPicture: () => listing.current().firstPicture,
      page: {
        shopName: config.shopName,
        network: config.loanNetwork,
        inviteCode: config.loanInviteCode,
        ...(config.shopContact === undefined ? {} : { contact: config.shopContact }),
        popupHosts: config.popupHosts,
      },
    });
  });
  return fastify;
}

/** Waits for requests in progress until {@link STOP_TIMEOUT}, then closes the remaining connections. */
async function closeServer(fastify: FastifyInstance): Promise<void> {
  const idle = setInterval(() => fastify.server.closeIdleConnections(), 50);
  const closed = new AbortController();
  // fastify.close() may never resolve: it also waits for upgraded sockets, which closeAllConnections() does not close.
  const timeout = pause(STOP_TIMEOUT, undefined, { signal: closed.signal }).then(
    () => fastify.server.closeAllConnections(),
    () => {},
  );
  await Promise.race([fastify.close(), timeout]);
  clearInterval(idle);
  closed.abort();
}
