import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from "node:http";
import { isIP } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import proxyAddr from "@fastify/proxy-addr";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { Config } from "../../config/config.ts";
import { createGuardedServer } from "./defences/connections.ts";
import { handleError, sendProblem } from "./problems.ts";

const BODY_LIMIT = 64 * 1024;
/** The maximum length of a parameter in a path; an id has at most 200, see `storedId`. */
const MAX_PARAMETER_LENGTH = 600;
/** The timeout for requests in progress when the server stops, in milliseconds. */
const STOP_TIMEOUT = 6_000;

configureSchemas(en());

export interface ServerOptions {
  readonly log: FastifyBaseLogger;
  readonly trusted: TrustProxy;
  /** Aborted when the server starts to drain. */
  readonly draining: AbortSignal;
}

/** A `GET` route that is answered before Fastify, whose router would take a tenth of the time. */
interface FastRoute {
  readonly url: string;
  readonly answer: RequestListener;
}

/** Creates a server with the settings of both listeners. */
export function createServer(
  { log, trusted, draining }: ServerOptions,
  fast?: FastRoute,
): FastifyInstance {
  const fastify = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: trusted,
    forceCloseConnections: "idle",
    // Requests on open connections are answered normally. Fastify's own 503 is not a problem
    // document.
    return503OnClosing: false,
    serverFactory: (handler) =>
      createGuardedServer(
        (request, response) => {
          dropInvalidForwarded(request);
          if (fast !== undefined && request.method === "GET" && request.url === fast.url)
            fast.answer(request, response);
          else handler(request, response);
        },
        {
          isProxy: (address) => trusted(address, 0),
          isDraining: () => draining.aborted,
        },
      ),
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
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

/** Waits for requests in progress until a timeout, then closes the remaining connections. */
export async function closeServer(fastify: FastifyInstance): Promise<void> {
  const idle = setInterval(() => fastify.server.closeIdleConnections(), 50);
  const closed = new AbortController();
  // fastify.close() may never resolve: it waits for upgraded sockets too, which
  // closeAllConnections() does not close.
  const timeout = pause(STOP_TIMEOUT, undefined, { signal: closed.signal }).then(
    () => fastify.server.closeAllConnections(),
    () => {},
  );
  await Promise.race([fastify.close(), timeout]);
  clearInterval(idle);
  closed.abort();
}

const charsetOf = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
/** Node's decoder replaces bytes that are not UTF-8 with this character, which no one types. */
const REPLACEMENT_CHARACTER = "\uFFFD";

/**
 * Refuses text that is not UTF-8, so that names and addresses have no replacement characters.
 * Searching for the character is cheaper than validating the bytes before decoding them.
 */
function acceptOnlyUtf8(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const type = request.headers["content-type"];
    const charset = type === undefined ? undefined : charsetOf.exec(type)?.[1];
    if (charset === undefined || /^utf-?8$/i.test(charset)) done();
    else sendProblem(reply, "wrong_type", { detail: "Text must be in UTF-8." });
  });
  app.removeContentTypeParser(["application/json", "text/plain"]);
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, body, done) => {
      if (!body.includes(REPLACEMENT_CHARACTER)) parse(request, body, done);
      else done(Object.assign(new Error("the body is not in UTF-8"), { statusCode: 400 }));
    },
  );
}

export const requestIdHeader = "x-request-id";

// No "@" and no spaces: the id is logged, so it must not be an email address or a full name.
const loggable = /^[\w.:-]{1,128}$/;

/** The request's `X-Request-Id`; `undefined` if it has none that may be logged. */
export function givenRequestId({
  [requestIdHeader]: given,
}: IncomingHttpHeaders): string | undefined {
  return typeof given === "string" && loggable.test(given) ? given : undefined;
}

export function requestIdOf(headers: IncomingHttpHeaders): string {
  return givenRequestId(headers) ?? randomUUID();
}

const FORWARDED = "x-forwarded-for";

/** Whether to trust `X-Forwarded-For` from an address that is this many hops away. */
export type TrustProxy = (address: string, hop: number) => boolean;

export function trustedProxies(setting: Config["trustProxy"]): TrustProxy {
  if (setting === false) return () => false;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((address) => address.trim()));
}

/** Finds the client's address like Fastify, for requests that bypass Fastify. */
export function clientAddress(trust: TrustProxy): (request: IncomingMessage) => string {
  return (request) => {
    dropInvalidForwarded(request);
    return proxyAddr(request, trust);
  };
}

/**
 * Drops the last value of `X-Forwarded-For` that is not an IP address, and all values before it: no
 * trusted proxy has set them.
 */
function dropInvalidForwarded({ headers }: IncomingMessage): void {
  const forwarded = headers[FORWARDED];
  if (forwarded === undefined) return;
  const values = String(forwarded)
    .split(",")
    .map((value) => value.trim());
  const invalid = values.findLastIndex((value) => isIP(value) === 0);
  headers[FORWARDED] = values.slice(invalid + 1).join(",");
}

/** Logs one warning if requests come through a proxy while `TRUST_PROXY` is off. */
export function warnOfIgnoredProxy(app: FastifyInstance, setting: Config["trustProxy"]): void {
  if (setting !== false) return;
  let hasWarned = false;
  app.addHook("onRequest", async (request) => {
    if (hasWarned || request.headers[FORWARDED] === undefined) return;
    hasWarned = true;
    request.log.warn(
      "requests carry X-Forwarded-For, which is ignored: set TRUST_PROXY, or all customers behind the proxy share one rate limit",
    );
  });
}
