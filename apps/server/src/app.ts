import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { buildFeatures, type Features } from "./build-features.ts";
import { buildHttp } from "./build-http.ts";
import { itself } from "./db/asker.ts";
import { ConfigError } from "./environment.ts";
import { codeOf } from "./errors.ts";
import { clientAddress, type TrustProxy, trustedProxies } from "./http/client-address.ts";
import { MINUTE } from "./limits/windows.ts";
import { serveOrderSockets } from "./order-stream/sockets.ts";
import type { Parts } from "./parts.ts";
import { withSafeErrors } from "./telemetry/faults-in-log.ts";

/** The complete server. */
export interface App {
  /**
   * The HTTP server, for callers in this process: `inject` sends a request, an `upgrade` event of
   * its server opens a socket.
   */
  readonly http: Pick<FastifyInstance, "inject" | "server">;
  /** Starts the background tasks, such as reconciling, without listening. */
  start(): Promise<void>;
  /** Starts listening, at the desk's port too, and the background tasks. */
  listen(): Promise<void>;
  /** Makes a link that signs an owner in at the desk. */
  newDeskLink(): Promise<string>;
  /**
   * Answers 503 at `/readyz` and keeps answering other requests for `drainSeconds`, while it closes
   * the followers' sockets. Then finishes the requests in progress and stops reconciling. The
   * caller closes the database, the bus and the counters.
   */
  close(): Promise<void>;
}

/** The timeout for requests in progress when the server stops, in milliseconds. */
const STOP_TIMEOUT = 6_000;

/**
 * The composition root: `build-features.ts` creates the features, `build-http.ts` the HTTP server,
 * and this function the sockets and the order in which everything starts and stops.
 */
export async function createApp(outside: Parts): Promise<App> {
  const parts = { ...outside, log: withSafeErrors(outside.log) };
  const draining = new AbortController();
  const stopping = new AbortController();
  const features = await buildFeatures(parts, stopping.signal);
  const trusted = trustedProxies(parts.config.trustProxy);
  const fastify = await buildHttp(parts, features, { trusted, draining: draining.signal });
  const desk = await openDesk(parts, features, { trusted, draining: draining.signal });
  const { stream, telemetry, workers, subscribers } = features;
  const sockets = serveOrderSockets(fastify.server, {
    stream,
    publicUrl: parts.config.publicUrl,
    limit: telemetry.limited({
      kind: "sockets",
      most: parts.config.rateLimits.sockets,
      within: MINUTE,
    }),
    checkKey: features.checkKey,
    onRefused: telemetry.refusals.refused,
    most: parts.config.maxSocketsPerAddress,
    addressOf: clientAddress(trusted),
    pingInterval: parts.times.heartbeat,
  });

  features.orderKeys.onReplaced(sockets.closeKeyHolders);

  async function start(): Promise<void> {
    await fastify.ready();
    for (const worker of workers) worker.start();
  }

  return {
    http: fastify,
    start,
    async listen() {
      const { host, port } = parts.config;
      await desk?.listen();
      await fastify.listen({ host, port });
      await start();
    },
    async newDeskLink() {
      const made = await features.staff.newLink(undefined, itself);
      if (made === undefined) throw new Error("the first owner is made with their first link");
      return made.link;
    },
    async close() {
      draining.abort();
      // Sockets are closed one after another during the drain, so that their pages do not all
      // reconnect at once.
      await Promise.all([drain(parts), sockets.close(parts.config.drainSeconds * 1000)]);
      desk?.live.close();
      stopping.abort();
      await Promise.all([
        closeServer(fastify),
        desk === undefined ? undefined : closeServer(desk.fastify),
        ...workers.map((worker) => worker.stop()),
      ]);
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}

/** Builds the desk, if there is one. Its code is loaded only then. */
async function openDesk(
  parts: Parts,
  features: Features,
  options: { readonly trusted: TrustProxy; readonly draining: AbortSignal },
) {
  const { desk } = parts.config;
  if (desk === undefined) return undefined;
  const { host, port } = desk;
  const { buildDesk } = await import("./build-desk.ts");
  const built = await buildDesk(parts, features, { ...options, desk });

  async function listen(): Promise<void> {
    try {
      await built.fastify.listen({ host, port });
    } catch (error) {
      if (codeOf(error) !== "EADDRINUSE") throw error;
      const takes = "set DESK_PORT to a free one, or to off";
      throw new ConfigError(`DESK_PORT: ${port} is in use by another program; ${takes}`);
    }
  }

  return { ...built, listen };
}

/**
 * Waits until the proxies in front have noticed that this server is stopping, and route visitors to
 * others.
 */
async function drain({ config, log }: Parts): Promise<void> {
  if (config.drainSeconds === 0) return;
  log.info(
    { seconds: config.drainSeconds },
    "stopping; requests are still answered until proxies have noticed",
  );
  await pause(config.drainSeconds * 1000);
}

/**
 * Waits for requests in progress until {@link STOP_TIMEOUT}, then closes the remaining connections.
 */
async function closeServer(fastify: FastifyInstance): Promise<void> {
  const idle = setInterval(() => fastify.server.closeIdleConnections(), 50);
  const closed = new AbortController();
  // fastify.close() may never resolve: it also waits for upgraded sockets, which
  // closeAllConnections() does not close.
  const timeout = pause(STOP_TIMEOUT, undefined, { signal: closed.signal }).then(
    () => fastify.server.closeAllConnections(),
    () => {},
  );
  await Promise.race([fastify.close(), timeout]);
  clearInterval(idle);
  closed.abort();
}
