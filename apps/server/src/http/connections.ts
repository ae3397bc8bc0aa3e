import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { network } from "../limits/limit.ts";
import { QueuedResponse, queueRequests } from "./request-queue.ts";
import { boundUnread } from "./unread.ts";

/** How long the head of a request may take to arrive, and how long all of it, in milliseconds. */
const HEAD_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** How often connections are looked at whose requests take too long, in milliseconds. */
const CHECK_INTERVAL = 5_000;
/**
 * How long a connection may be idle between two requests, in milliseconds: longer than the proxies of `deploy/` keep
 * theirs, so that none sends a request down one that is just being closed. Caddy's default is 2 minutes; its file says 60 s.
 */
const KEEP_ALIVE = 72_000;
/** How many connections one address may have open at a time, unless it is a trusted proxy. */
const CONNECTIONS_PER_ADDRESS = 1_000;

interface Options {
  /** Whether an address may have as many connections as it likes, for it speaks for many. */
  readonly isProxy: (address: string) => boolean;
  /** Whether each answer is to be the last on its connection, so that none is open when the server stops. */
  readonly isDraining: () => boolean;
}

/** An HTTP server that lets nobody have more of it than is good for others. */
export function createGuardedServer(handler: RequestListener, { isProxy, isDraining }: Options): Server {
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
      handler(request, response);
    }),
  );
  limitConnections(server, isProxy);
  boundUnread(server, isProxy);
  return server;
}

/** Closes the connections of an address that has too many open, before anything is read from them. */
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
