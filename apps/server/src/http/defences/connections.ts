import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { Socket } from "node:net";
import { network } from "../../limits/limit.ts";
import { dropInvalidForwarded } from "../client-address.ts";

/** The timeouts for the head of a request and for the whole request, in milliseconds. */
const HEAD_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** The interval of the scans for late requests and for unread bytes, in milliseconds. */
const CHECK_INTERVAL = 5_000;
/**
 * The timeout for a connection on which a request is handled and nothing is sent or received, in
 * milliseconds. It ends answers that a client does not read, and is longer than the longest import.
 */
const STALLED = 120_000;
/**
 * The keep-alive timeout in milliseconds. It is longer than that of the proxies in `deploy/`, so
 * that no proxy sends a request on a connection that the server is closing. Caddy's default is 2
 * minutes; the file in `deploy/` sets 60 s.
 */
const KEEP_ALIVE = 72_000;
/** The most open connections per address; trusted proxies have no limit. */
const CONNECTIONS_PER_ADDRESS = 1_000;
/** The most unread bytes per address; trusted proxies have no limit. */
const UNREAD_PER_ADDRESS = 16 * 1024 * 1024;
/** The kernel takes this many bytes from a client, whether or not the server reads them. */
const TAKEN_UNREAD = 16 * 1024;

interface Options {
  /** Whether an address is a trusted proxy, which has no limit. */
  readonly isProxy: (address: string) => boolean;
  /** Whether the server is stopping: then each response closes its connection. */
  readonly isDraining: () => boolean;
}

/**
 * Creates an HTTP server with Node's timeouts, and with the limits that Node does not have: per
 * address, of pipelined requests, and a close that does not lose the response.
 */
export function createGuardedServer(
  handler: RequestListener,
  { isProxy, isDraining }: Options,
): Server {
  const server = createServer(
    {
      headersTimeout: HEAD_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      connectionsCheckingInterval: CHECK_INTERVAL,
      keepAliveTimeout: KEEP_ALIVE,
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    (request, response) => {
      if (isPipelined(response)) return void request.socket.destroy();
      if (isDraining()) response.shouldKeepAlive = false;
      lingerAtClose(request);
      dropInvalidForwarded(request);
      handler(request, response);
    },
  );
  server.timeout = STALLED;
  limitConnections(server, isProxy);
  limitUnread(server, isProxy, { every: CHECK_INTERVAL, perAddress: UNREAD_PER_ADDRESS });
  return server;
}

/**
 * Whether a request was sent before the previous one of its connection is answered. No browser or
 * proxy does so. Node handles all requests of a chunk at once, and keeps their responses in memory.
 */
function isPipelined({ socket }: Parameters<RequestListener>[1]): boolean {
  return socket === null;
}

/**
 * Closes new connections of an address over its limit, before anything is read from them. Node's
 * `maxConnections` counts all addresses together, so one of them could keep out the others.
 */
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

interface UnreadLimits {
  /** The interval between two scans of all connections, in milliseconds. */
  readonly every: number;
  /** In bytes. */
  readonly perAddress: number;
}

/**
 * Closes connections of an address whose responses wait in memory because it does not read them.
 * Connections are counted that had unread bytes in the last scan too. Node ends only connections
 * that stand still (`timeout`), so a thousand of them could each read a byte a minute. Sockets of
 * the order stream are left out; they have a limit of their own.
 */
export function limitUnread(
  server: Server,
  isProxy: (address: string) => boolean,
  { every, perAddress }: UnreadLimits,
): void {
  const connections = new Set<Socket>();
  let unread = new Set<Socket>();

  // One listener function for all connections saves memory: there are thousands, and most become
  // followers.
  function forget(this: Socket): void {
    connections.delete(this);
  }
  server.on("connection", (socket: Socket) => {
    if (socket.remoteAddress === undefined || isProxy(socket.remoteAddress)) return;
    connections.add(socket);
    socket.on("close", forget);
  });
  server.on("upgrade", ({ socket }: IncomingMessage) => {
    socket.off("close", forget);
    connections.delete(socket);
  });

  function scan(): void {
    const before = unread;
    unread = new Set([...connections].filter((socket) => socket.writableLength > 0));
    const waiting = new Map<string, number>();
    for (const socket of unread) {
      if (!before.has(socket)) continue;
      const key = network(socket.remoteAddress ?? "");
      const bytes = (waiting.get(key) ?? 0) + socket.writableLength;
      if (bytes > perAddress) socket.destroy();
      else waiting.set(key, bytes);
    }
  }

  const scanning = setInterval(scan, every);
  scanning.unref();
  server.once("close", () => clearInterval(scanning));
}

/**
 * Delays closing a connection after the response until the client has sent its whole body, which is
 * discarded. Node closes at once, which resets the connection, and a client that is still writing
 * would lose the response. The request timeout limits the delay. Small bodies are left out: they
 * have arrived, and what holds a request until its connection's next one costs garbage collection.
 */
export function lingerAtClose(request: IncomingMessage): void {
  const { socket, headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  if (length <= TAKEN_UNREAD && headers["transfer-encoding"] === undefined) return;
  const close = () => Socket.prototype.destroySoon.call(socket);
  // Node calls this method to close a connection after its last response, and offers no other hook.
  socket.destroySoon = () => {
    if (request.complete) return close();
    socket.end();
    request.once("end", close).resume();
  };
}
