import type { RequestListener } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { config as configureSchemas } from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { TrustProxy } from "./client-address.ts";
import { createGuardedServer } from "./defences/connections.ts";
import { handleError, sendProblem } from "./problems.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";

const BODY_LIMIT = 64 * 1024;
/** The id of a payment issue contains those of its loan and its order. */
const MAX_ID_LENGTH = 600;
/** The timeout for requests in progress when the server stops, in milliseconds. */
const STOP_TIMEOUT = 6_000;

configureSchemas(en());

export interface ServerOptions {
  readonly log: FastifyBaseLogger;
  readonly trusted: TrustProxy;
  /** Aborted when the server starts to drain. */
  readonly draining: AbortSignal;
}

/**
 * Creates a server with the settings of both listeners.
 *
 * @param wrap wraps the request listener
 */
export function createServer(
  { log, trusted, draining }: ServerOptions,
  wrap = (listener: RequestListener) => listener,
): FastifyInstance {
  const fastify = Fastify({
    loggerInstance: log,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: trusted,
    forceCloseConnections: "idle",
    // Requests on open connections are answered normally; Fastify's own 503 is no problem document.
    return503OnClosing: false,
    serverFactory: (handler) =>
      createGuardedServer(wrap(handler), {
        isProxy: (address) => trusted(address, 0),
        isDraining: () => draining.aborted,
      }),
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
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
