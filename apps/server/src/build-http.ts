import type { RequestListener } from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { Features } from "./build-features.ts";
import type { TrustProxy } from "./http/client-address.ts";
import { csrfProtection } from "./http/csrf.ts";
import { createGuardedServer } from "./http/defences/connections.ts";
import { healthRoutes } from "./http/health.ts";
import { collectMethods, sendNotFound } from "./http/methods.ts";
import { metricsRoute } from "./http/metrics.ts";
import { openApiRoute } from "./http/openapi-route.ts";
import { collectOperations } from "./http/operation.ts";
import { orderKeyOnly } from "./http/order-key.ts";
import { handleError } from "./http/problems.ts";
import { refuseUnknownQueries } from "./http/queries.ts";
import { rateLimit } from "./http/rate-limit.ts";
import { requestIdHeader, requestIdOf } from "./http/request-id.ts";
import { observeScope } from "./http/scope.ts";
import {
  addHeaders,
  dataHeaders,
  helmetHeaders,
  securityHeaders,
} from "./http/security-headers.ts";
import { acceptOnlyUtf8 } from "./http/utf8.ts";
import { DAY, MINUTE } from "./limits/windows.ts";
import { type Authenticate, byToken } from "./merchant-api/authorize.ts";
import { askerOf } from "./merchant-api/let-in.ts";
import { merchantRoutes } from "./merchant-api/routes.ts";
import { orderStreamOperation } from "./order-stream/operation.ts";
import type { Parts } from "./parts.ts";
import { cancelOwnOrderRoute } from "./shop-api/cancel-own-order.ts";
import { correctOwnOrderRoute } from "./shop-api/correct-own-order.ts";
import { createItemsListener, itemsFirst, listItemsRoute } from "./shop-api/list-items.ts";
import { placeOrderRoute } from "./shop-api/place-order.ts";
import { showAccountRoute } from "./shop-api/show-account.ts";
import { showOwnOrderRoute } from "./shop-api/show-own-order.ts";
import { showShopTextRoute } from "./shop-api/show-shop-text.ts";
import { isPage, servePages } from "./web/pages.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

const BODY_LIMIT = 64 * 1024;
/** The rate limit for wrong tokens per address and minute. */
const WRONG_TOKENS = 10;

configureSchemas(en());

interface HttpOptions {
  readonly trusted: TrustProxy;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal;
}

/**
 * Builds the HTTP server: the list of items is answered first, for speed, and all other routes are
 * behind hooks.
 */
export async function buildHttp(
  parts: Parts,
  features: Features,
  options: HttpOptions,
): Promise<FastifyInstance> {
  const { config } = parts;
  const { telemetry, listing } = features;
  const { metrics, limited, refusals } = telemetry;
  const guard = {
    limit: limited({ kind: "tokens", most: WRONG_TOKENS, within: MINUTE }),
    onRefused: refusals.refused,
  };
  const items = createItemsListener({ listing, onServed: metrics.itemsServed });
  const fastify = newFastify(parts, options, (handler) => itemsFirst(items, handler));
  const methodsOf = collectMethods(fastify, isPage);
  const operations = collectOperations(fastify);
  const notFound = (request: FastifyRequest, reply: FastifyReply) =>
    sendNotFound(request, reply, methodsOf);
  fastify.setNotFoundHandler(notFound);
  listItemsRoute(fastify, items);
  await fastify.register(async (scope) => {
    observeScope(scope, { config, metrics });
    await scope.register(async (api) => {
      addHeaders(api, dataHeaders(config.publicUrl));
      shopRoutes(api, parts, features);
    });
    await scope.register(async (rest) => otherRoutes(rest));
  });
  return fastify;

  async function otherRoutes(scope: FastifyInstance): Promise<void> {
    addHeaders(scope, helmetHeaders(securityHeaders(config)));
    healthRoutes(scope, {
      checkDatabase: parts.database.check,
      bus: () => parts.bus.health.connected,
      provider: telemetry.providerState,
      isStopping: () => options.draining.aborted,
    });
    metricsRoute(scope, { metrics, token: config.metricsToken, guard });
    openApiRoute(scope, {
      publicUrl: config.publicUrl,
      operations: () => [...operations(), orderStreamOperation],
    });
    await scope.register(async (guarded) => {
      merchantScope(guarded, parts, features, byToken({ tokens: features.tokens, guard }));
    });
    await pages(scope, parts, { features, notFound });
  }
}

/** Adds the merchant API to a scope: at the shop's door for tokens, at the desk's for sessions. */
export function merchantScope(
  scope: FastifyInstance,
  { config, release, database, bus, now }: Parts,
  features: Features,
  authenticate: Authenticate,
): void {
  const { payments } = features;
  merchantRoutes(scope, {
    ...features,
    authenticate,
    hasDesk: config.desk !== undefined,
    config,
    release,
    db: database.db,
    database,
    bus,
    moveOrder: payments.moveOrder,
    recordRefund: payments.recordRefund,
    reverseRefund: payments.reverseRefund,
    eraseOrder: payments.eraseOrder,
    now,
    resolveIssue: payments.resolveIssue,
    reopenIssue: payments.reopenIssue,
  });
  webhookRoutes(scope, {
    ...features,
    db: database.db,
    isPrivateAllowed: config.webhooksPrivate,
    askerOf,
  });
}

/**
 * Creates a server with the settings of both doors.
 *
 * @param before wraps the listener of all requests
 */
export function newFastify(
  { log }: Parts,
  { trusted, draining }: HttpOptions,
  before = (listener: RequestListener) => listener,
): FastifyInstance {
  const fastify = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: trusted,
    forceCloseConnections: "idle",
    // Requests on open connections are answered normally; Fastify's own 503 is not a problem
    // document.
    return503OnClosing: false,
    serverFactory: (handler) =>
      createGuardedServer(before(handler), {
        isProxy: (address) => trusted(address, 0),
        isDraining: () => draining.aborted,
      }),
    // The id of a payment issue has the ids of its loan and its order.
    routerOptions: { maxParamLength: 600 },
    genReqId: ({ headers }) => requestIdOf(headers),
    frameworkErrors: (error, request, reply) => {
      reply.header(requestIdHeader, request.id);
      return handleError(error, request.log, reply);
    },
  });
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    done();
  });
  acceptOnlyUtf8(fastify);
  fastify.setErrorHandler((error, request, reply) => handleError(error, request.log, reply));
  return fastify;
}

function shopRoutes(
  api: FastifyInstance,
  { config, database: { db } }: Parts,
  features: Features,
): void {
  const {
    placeOrder,
    replaceOrder,
    keyOf,
    checkKey,
    correctAddress,
    payments,
    telemetry,
    shopSettings,
  } = features;
  const { cancelOrder } = payments;
  const limit = telemetry.limited(
    { kind: "orders", most: config.rateLimits.orders, within: MINUTE },
    { kind: "orders-daily", most: config.rateLimits.ordersDaily, within: DAY },
  );
  refuseUnknownQueries(api);
  placeOrderRoute(api, {
    placeOrder,
    replaceOrder,
    keyOf,
    checkKey,
    limit,
    publicUrl: config.publicUrl,
  });
  showAccountRoute(api, payments.currentUser);
  showShopTextRoute(api, shopSettings);
  const withKey = orderKeyOnly(checkKey);
  const reading = [csrfProtection(config.publicUrl), withKey];
  const changing = [...reading, rateLimit(limit)];
  showOwnOrderRoute(api, { db, onRequest: reading });
  correctOwnOrderRoute(api, { db, correctAddress, onRequest: changing });
  cancelOwnOrderRoute(api, { db, cancelOrder, onRequest: changing });
}

type NotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

function pages(
  scope: FastifyInstance,
  { config, webRoot: root }: Parts,
  {
    features: { keptAssets, readPicture, listing, shopSettings },
    notFound,
  }: { features: Features; notFound: NotFound },
): Promise<void> {
  return servePages(scope, {
    root,
    keptAssets,
    readPicture,
    notFound,
    publicUrl: config.publicUrl,
    firstPicture: () => listing.current().firstPicture,
    settings: shopSettings,
    machine: {
      network: config.loanNetwork,
      inviteCode: config.loanInviteCode,
      popupHosts: config.popupHosts,
    },
  });
}
