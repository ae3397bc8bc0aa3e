import type { FastifyInstance } from "fastify";
import type { Features } from "./build-features.ts";
import { merchantScope, newFastify } from "./build-http.ts";
import { sessionCookie } from "./desk/cookie.ts";
import { sessionOf } from "./desk/door.ts";
import { createEmailLimit } from "./desk/email-limit.ts";
import { deskHeaders } from "./desk/headers.ts";
import { type LiveSockets, serveLiveSockets } from "./desk/live-sockets.ts";
import { deskPages } from "./desk/pages.ts";
import { passkeyRoutes } from "./desk/passkey-routes.ts";
import { signInEmailRoutes } from "./desk/sign-in-emails.ts";
import { signInRoutes } from "./desk/sign-in-routes.ts";
import type { DeskConfig } from "./desk-config.ts";
import { clientAddress, type TrustProxy } from "./http/client-address.ts";
import { sessionCsrfProtection } from "./http/csrf.ts";
import { timeRequests } from "./http/metrics.ts";
import { refuseUnknownQueries } from "./http/queries.ts";
import type { Refusal } from "./http/refusal.ts";
import { warnOfForwarded } from "./http/scope.ts";
import { addHeaders, helmetHeaders } from "./http/security-headers.ts";
import { MINUTE } from "./limits/windows.ts";
import type { Parts } from "./parts.ts";

/**
 * Rate limits per minute: failed sign-ins per address and method, and challenges for new passkeys
 * per session.
 */
const WRONG_SIGN_INS = 10;
const CHALLENGES = 30;

interface DeskOptions {
  readonly desk: DeskConfig;
  readonly trusted: TrustProxy;
  readonly draining: AbortSignal;
}

/** The desk's own server. */
export interface Desk {
  readonly fastify: FastifyInstance;
  readonly live: LiveSockets;
}

/**
 * Builds the server of the desk, which listens at its own port: signing in, the merchant API for
 * sessions, the live socket and the pages. Nothing of it is loaded without `DESK_PORT`.
 */
export async function buildDesk(
  parts: Parts,
  features: Features,
  options: DeskOptions,
): Promise<Desk> {
  const { config, bus, times } = parts;
  const { url: deskUrl } = options.desk;
  const { telemetry, sessions, passkeys, shopSettings } = features;
  const wrong = (kind: Refusal) =>
    telemetry.limited({ kind, most: WRONG_SIGN_INS, within: MINUTE });
  const limits = {
    cookies: wrong("desk-cookies"),
    links: wrong("desk-links"),
    passkeys: wrong("desk-passkeys"),
  };
  const door = {
    sessions,
    cookie: sessionCookie(deskUrl),
    limits,
    onRefused: telemetry.refusals.refused,
  };
  const signingIn = {
    ...door,
    deskUrl,
    publicUrl: config.publicUrl,
    passkeys,
    settings: shopSettings,
    challengeLimit: telemetry.limited({
      kind: "desk-challenges",
      most: CHALLENGES,
      within: MINUTE,
    }),
  };
  const fastify = newFastify(parts, options);
  await fastify.register(async (scope) => {
    if (config.trustProxy === false) warnOfForwarded(scope);
    timeRequests(scope, telemetry.metrics);
    addHeaders(scope, helmetHeaders(deskHeaders(deskUrl, config.publicUrl)));
    scope.addHook("onRequest", sessionCsrfProtection(deskUrl));
    await scope.register(async (api) => {
      api.addHook("onRequest", async (_request, reply) => {
        reply.header("Cache-Control", "no-store");
      });
      refuseUnknownQueries(api);
      signInRoutes(api, signingIn);
      passkeyRoutes(api, signingIn);
      signInEmailRoutes(api, {
        ...features,
        settings: shopSettings,
        limit: createEmailLimit(telemetry.limited),
        onError: telemetry.onError,
      });
    });
    await scope.register(async (guarded) =>
      merchantScope(guarded, parts, features, async (request, reply) => {
        const session = await sessionOf(request, reply, door);
        if (session === undefined) return undefined;
        const { id, name, role, staff_id: staffId } = session;
        return { name, role, session: { id, staffId } };
      }),
    );
    await deskPages(scope, { root: parts.deskRoot, deskUrl });
  });
  const live = serveLiveSockets(fastify.server, {
    bus,
    sessions,
    cookie: door.cookie,
    deskUrl,
    limit: limits.cookies,
    addressOf: clientAddress(options.trusted),
    onError: telemetry.onError,
    reread: times.reread,
  });
  return { fastify, live };
}
