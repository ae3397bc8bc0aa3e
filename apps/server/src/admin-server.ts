import { addAdminApi, type SharedOptions } from "./admin-api.ts";
import { ConfigError } from "./config/environment.ts";
import { serveLiveSockets } from "./modules/admin-live/index.ts";
import type { Email } from "./modules/email/index.ts";
import type { SignIn } from "./modules/staff/index.ts";
import { adminHeaders, adminPages } from "./modules/web/index.ts";
import { codeOf } from "./platform/errors.ts";
import { sessionCsrfProtection } from "./platform/http/csrf.ts";
import { timeRequests } from "./platform/http/metrics.ts";
import { addHeaders, refuseUnknownQueries } from "./platform/http/route.ts";
import { clientAddress, createServer, warnOfIgnoredProxy } from "./platform/http/server.ts";

interface Options extends SharedOptions {
  readonly signIn: SignIn;
  readonly email: Email;
  /** The folder of the built admin. */
  readonly root: string;
}

/** Serves sign-in, the admin API for sessions, live changes and pages, on a separate port. */
export async function createAdminServer(options: Options) {
  const { platform, config, signIn, email } = options;
  const { url: adminUrl, host, port } = signIn.admin;
  const fastify = createServer(options);
  await fastify.register(async (scope) => {
    warnOfIgnoredProxy(scope, config.trustProxy);
    timeRequests(scope, platform.metrics);
    addHeaders(scope, adminHeaders(adminUrl, config.publicUrl));
    scope.addHook("onRequest", sessionCsrfProtection(adminUrl));
    await scope.register(async (api) => {
      addHeaders(api, { "cache-control": "no-store" });
      refuseUnknownQueries(api);
      signIn.routes(api, email);
    });
    await scope.register(async (guarded) => addAdminApi(guarded, options, signIn.bySession));
    await adminPages(scope, { root: options.root, adminUrl });
  });
  const live = serveLiveSockets(fastify.server, platform, {
    ...signIn,
    adminUrl,
    addressOf: clientAddress(options.trusted),
  });

  async function listen(): Promise<void> {
    try {
      await fastify.listen({ host, port });
    } catch (error) {
      if (codeOf(error) !== "EADDRINUSE") throw error;
      const advice = "set ADMIN_PORT to a free port, or to off";
      throw new ConfigError(`ADMIN_PORT: ${port} is in use by another program; ${advice}`);
    }
  }

  return { fastify, live, listen };
}
