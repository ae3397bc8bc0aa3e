import type { FastifyInstance } from "fastify";
import type { Config } from "./config/config.ts";
import { type Authenticate, authorize } from "./modules/staff/index.ts";
import { addHeaders, refuseUnknownQueries } from "./platform/http/route.ts";
import type { ServerOptions } from "./platform/http/server.ts";
import type { Platform } from "./platform/platform.ts";

/** The options that the servers of storefront and admin share. */
export interface SharedOptions extends ServerOptions {
  readonly platform: Platform;
  readonly config: Config;
  readonly adminRoutes: (app: FastifyInstance) => void;
}

/**
 * Adds the admin API to a listener, with the authentication of that listener: sessions for the
 * admin, API tokens for the storefront.
 */
export function addAdminApi(
  scope: FastifyInstance,
  { platform, config, adminRoutes }: SharedOptions,
  authenticate: Authenticate,
): void {
  addHeaders(scope, { "cache-control": "no-store" });
  authorize(scope, authenticate, platform.database.db);
  // The open pages of the admin refetch what a member of staff or a program may have changed.
  if (config.admin !== undefined)
    scope.addHook("onResponse", async ({ method }, { statusCode }) => {
      if (method !== "GET" && method !== "HEAD" && statusCode < 400)
        platform.bus.publish({ topic: "admin" });
    });
  refuseUnknownQueries(scope);
  adminRoutes(scope);
}
