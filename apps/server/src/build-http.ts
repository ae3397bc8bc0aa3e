import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { Features } from "./build-features.ts";
import type { TrustProxy } from "./http/client-address.ts";
import { createGuardedServer } from "./http/connections.ts";
import { healthRoutes } from "./http/health.ts";
import { collectMethods, sendNotFound } from "./http/methods.ts";
import { metricsRoute } from "./http/metrics.ts";
import { openApiRoute } from "./http/openapi-route.ts";
import { collectOperations } from "./http/operation.ts";
import { handleError } from "./http/problems.ts";
import { refuseUnknownQueries } from "./http/queries.ts";
import { guardScope } from "./http/scope.ts";
import { DAY, MINUTE } from "./limits/windows.ts";
import { merchantRoutes } from "./merchant-api/routes.ts";
import { orderStreamOperation } from "./order-stream/operation.ts";
import type { Parts } from "./parts.ts";
import { listItemsRoute } from "./shop-api/list-items.ts";
import { placeOrderRoute } from "./shop-api/place-order.ts";
import { showAccountRoute } from "./shop-api/show-account.ts";
import { isPage, servePages } from "./web/pages.ts";

const BODY_LIMIT = 64 * 1024;
/** The rate limit for wrong tokens per address and minute. */
const WRONG_TOKENS = 10;

configureSchemas(en());

interface HttpOptions {
  readonly trusted: TrustProxy;
  /** Aborted when the server begins to stop. */
  readonly draining: AbortSignal;
}

/** Builds the HTTP server: the list of items in a scope without hooks, for speed, and all other routes behind the hooks. */
export async function buildHttp(
  parts: Parts,
  features: Features,
  options: HttpOptions,
): Promise<FastifyInstance> {
  const { config, merchantToken: token } = parts;
  const { telemetry, payments, editCatalogue, listing } = features;
  const { metrics, limited, refusals } = telemetry;
  const guard = {
    limit: limited({ kind: "tokens", most: WRONG_TOKENS, within: MINUTE }),
    onRefused: refusals.refused,
  };
  const fastify = newFastify(parts, options);
  const methodsOf = collectMethods(fastify, isPage);
  const operations = collectOperations(fastify);
  const notFound = (request: FastifyRequest, reply: FastifyReply) => sendNotFound(request, reply, methodsOf);
  fastify.setNotFoundHandler(notFound);
  await fastify.register(async (hot) => listItemsRoute(hot, { listing, onServed: metrics.itemsServed }));
  await fastify.register(async (scope) => {
    await guardScope(scope, { config, metrics });
    await scope.register(async (api) => shopRoutes(api, parts, features));
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
    await scope.register(async (guarded) =>
      merchantRoutes(guarded, {
        token,
        guard,
        db: parts.database.db,
        moveOrder: payments.moveOrder,
        editCatalogue,
      }),
    );
    await pages(scope, parts, { features, notFound });
  });
  return fastify;
}

function newFastify({ log }: Parts, { trusted, draining }: HttpOptions): FastifyInstance {
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
  return fastify;
}

function shopRoutes(api: FastifyInstance, { config }: Parts, features: Features): void {
  const { placeOrder, keyOf, payments, telemetry } = features;
  const limit = telemetry.limited(
    { kind: "orders", most: config.rateLimits.orders, within: MINUTE },
    { kind: "orders-daily", most: config.rateLimits.ordersDaily, within: DAY },
  );
  refuseUnknownQueries(api);
  placeOrderRoute(api, { placeOrder, keyOf, limit, publicUrl: config.publicUrl });
  showAccountRoute(api, payments.currentUser);
}

type NotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

function pages(
  scope: FastifyInstance,
  { config, webRoot: root }: Parts,
  { features: { keptAssets, listing }, notFound }: { features: Features; notFound: NotFound },
): Promise<void> {
  return servePages(scope, {
    root,
    keptAssets,
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
}
