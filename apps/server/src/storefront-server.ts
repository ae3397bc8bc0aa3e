import { paths } from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addAdminApi, type SharedOptions } from "./admin-api.ts";
import type { Catalogue } from "./modules/catalogue/index.ts";
import { orderStreamOperation } from "./modules/order-status/index.ts";
import type { ProviderState } from "./modules/payments/index.ts";
import type { Authenticate } from "./modules/staff/index.ts";
import { type createWeb, isPage } from "./modules/web/index.ts";
import type { TokenGuard } from "./platform/http/bearer.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { metricsRoute, timeRequests } from "./platform/http/metrics.ts";
import { collectMethods, sendNotFound } from "./platform/http/not-found.ts";
import { collectOperations, openApiRoute } from "./platform/http/openapi-route.ts";
import { addHeaders, refuseUnknownQueries } from "./platform/http/route.ts";
import { dataHeaders, pageHeaders } from "./platform/http/security-headers.ts";
import { createServer, warnOfIgnoredProxy } from "./platform/http/server.ts";

interface Options extends SharedOptions {
  readonly customerRoutes: (app: FastifyInstance) => void;
  /** By API tokens. */
  readonly authenticate: Authenticate;
  readonly tokenGuard: TokenGuard;
  readonly catalogue: Catalogue;
  readonly web: Awaited<ReturnType<typeof createWeb>>;
  readonly providerState: () => Promise<ProviderState>;
}

/**
 * Serves the storefront and the API. For speed, the list of items is answered before Fastify; all
 * other routes have hooks.
 */
export async function createStorefrontServer(options: Options): Promise<FastifyInstance> {
  const { platform, config, catalogue } = options;
  const fastify = createServer(options, { url: paths.items, answer: catalogue.itemsListener });
  const methodsOf = collectMethods(fastify, isPage);
  const operations = collectOperations(fastify);
  const notFound = (request: FastifyRequest, reply: FastifyReply) =>
    sendNotFound(request, reply, methodsOf);
  fastify.setNotFoundHandler(notFound);
  catalogue.customerRoutes(fastify);
  await fastify.register(async (scope) => {
    warnOfIgnoredProxy(scope, config.trustProxy);
    timeRequests(scope, platform.metrics);
    await scope.register(async (api) => {
      addHeaders(api, dataHeaders(config.publicUrl));
      refuseUnknownQueries(api);
      options.customerRoutes(api);
    });
    await scope.register(async (rest) => {
      addHeaders(rest, pageHeaders(config.publicUrl));
      healthRoutes(rest, {
        checkDatabase: platform.database.check,
        bus: () => platform.bus.health.connected,
        provider: options.providerState,
        isStopping: () => options.draining.aborted,
      });
      const { metricsToken: token } = config;
      metricsRoute(rest, { metrics: platform.metrics, token, guard: options.tokenGuard });
      openApiRoute(rest, {
        publicUrl: config.publicUrl,
        operations: () => [...operations(), orderStreamOperation],
      });
      await rest.register(async (guarded) => addAdminApi(guarded, options, options.authenticate));
      await options.web.serve(rest, notFound);
    });
  });
  return fastify;
}
