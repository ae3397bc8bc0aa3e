import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { network } from "../limits/limit.ts";
import { dropInvalidForwarded } from "./client-address.ts";
import { lingerAtClose } from "./linger.ts";
import { QueuedResponse, queueRequests } from "./request-queue.ts";
import { boundUnread } from "./unread.ts";

/** The timeouts for the head of a request and for the whole request, in milliseconds. */
const HEAD_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** The interval at which the request timeouts are enforced, in milliseconds. */
const CHECK_INTERVAL = 5_000;
/**
 * The keep-alive timeout in milliseconds. It is longer than that of the proxies in `deploy/`, so
 * that no proxy sends a request on a connection that the server is closing. Caddy's default is 2
 * minutes; the file in `deploy/` sets 60 s.
 */
const KEEP_ALIVE = 72_000;
/** The most open connections per address; trusted proxies have no limit. */
const CONNECTIONS_PER_ADDRESS = 1_000;

interface Options {
  /** Whether an address is a trusted proxy, which has no limit. */
  readonly isProxy: (address: string) => boolean;
  /** Whether the server is stopping: then each response closes its connection. */
  readonly isDraining: () => boolean;
}

/**
 * Creates an HTTP server with timeouts, and with limits on connections, queued requests and unread
 * responses.
 */
export function createGuardedServer(
  handler: RequestListener,
  { isProxy, isDraining }: Options,
): Server {
  const server = createServer<typeof IncomingMessage, typeof QueuedResponse>(
    {
      ServerResponse: QueuedResponse,
      headersTimeout: HEAD_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      connectionsCheckingInterval: CHECK_INTERVAL,
      keepAliveTimeout: KEEP_ALIVE,
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    queueRequests((request, response) => {
      if (isDraining()) response.shouldKeepAlive = false;
      lingerAtClose(request);
      dropInvalidForwarded(request);
      handler(request, response);
    }),
  );
  limitConnections(server, isProxy);
  boundUnread(server, isProxy);
  return server;
}

/** Closes new connections of an address over its limit, before anything is read from them. */
function limitConnections(server: Server, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>();

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const key = network(remoteAddress);
    const count = (open.get(key) ?? 0) + 1;
    if (count > CONNECTIONS_PER_ADDRESS) {
      socket.destroy();
      return;
    }
    open.set(key, count);
    socket.once("close", () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
