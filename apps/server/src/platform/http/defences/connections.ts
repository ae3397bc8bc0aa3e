import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { Socket } from "node:net";
import { networkOf } from "../../rate-limit/limit.ts";

/** The timeouts for the head of a request and for the whole request, in milliseconds. */
const HEAD_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** The interval of the scans for late requests and unread bytes, in milliseconds. */
const CHECK_INTERVAL = 5_000;
/**
 * The timeout for a connection without traffic while a request is handled, in milliseconds. It ends
 * answers that a client does not read, and is longer than the longest import.
 */
const STALLED = 120_000;
/**
 * The keep-alive timeout in milliseconds. The proxies in `deploy/` have a shorter one (60 s), so that
 * no proxy sends a request on a connection that the server is closing.
 */
const KEEP_ALIVE = 72_000;
/** The maximum number of open connections per address; trusted proxies have no limit. */
const MAX_CONNECTIONS = 1_000;
/** The maximum number of unread bytes per address; trusted proxies have no limit. */
const MAX_UNREAD = 16 * 1024 * 1024;
/** The kernel accepts this many bytes from a client even if the server does not read them. */
const KERNEL_BUFFER = 16 * 1024;

interface Options {
  readonly isProxy: (address: string) => boolean;
  /** Whether the server is draining: then each response closes its connection. */
  readonly isDraining: () => boolean;
}

/**
 * An HTTP server with Node's timeouts, and with protections that Node lacks: limits per address, no
 * pipelining, and a close that does not lose the response.
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
      handler(request, response);
    },
  );
  server.timeout = STALLED;
  limitConnections(server, isProxy);
  limitUnread(server, isProxy, { every: CHECK_INTERVAL, perAddress: MAX_UNREAD });
  return server;
}

/**
 * Whether a request was sent before the previous one of its connection is answered, which no
 * browser or proxy does. Node handles all requests of a chunk at once, and keeps their responses in
 * memory.
 */
function isPipelined({ socket }: Parameters<RequestListener>[1]): boolean {
  return socket === null;
}

/**
 * Closes new connections of an address over its limit before reading from them. Node's
 * `maxConnections` counts all addresses together, so one of them could lock out the rest.
 */
function limitConnections(server: Server, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>();

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > MAX_CONNECTIONS) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
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
 * Closes connections of an address that does not read its responses, which wait in memory. Counts
 * connections that had unread bytes in the previous scan too. Node ends only idle connections
 * (`timeout`), so a thousand of them could each read a byte a minute. Sockets of the order stream
 * are left out; they have a separate limit.
 */
export function limitUnread(
  server: Server,
  isProxy: (address: string) => boolean,
  { every, perAddress }: UnreadLimits,
): void {
  const connections = new Set<Socket>();
  let unread = new Set<Socket>();

  // One listener function for all connections saves memory: there may be thousands.
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
      const network = networkOf(socket.remoteAddress ?? "");
      const bytes = (waiting.get(network) ?? 0) + socket.writableLength;
      if (bytes > perAddress) socket.destroy();
      else waiting.set(network, bytes);
    }
  }

  const scanTimer = setInterval(scan, every).unref();
  server.once("close", () => clearInterval(scanTimer));
}

/**
 * Closes a connection only after the client has sent its whole body, which is discarded. Node
 * closes at once, which resets the connection, and a client that is still writing would lose the
 * response. The request timeout limits the delay. Small bodies are left out: they have already
 * arrived, and holding their requests costs garbage collection.
 */
export function lingerAtClose(request: IncomingMessage): void {
  const { socket, headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  if (length <= KERNEL_BUFFER && headers["transfer-encoding"] === undefined) return;
  const close = () => Socket.prototype.destroySoon.call(socket);
  // Node calls this method to close a connection after its last response; there is no other hook.
  socket.destroySoon = () => {
    if (request.complete) return close();
    socket.end();
    request.once("end", close).resume();
  };
}
