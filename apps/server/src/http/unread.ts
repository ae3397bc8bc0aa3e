import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { elapsed } from "../clock.ts";
import { network } from "../limits/limit.ts";

/** What clients may leave unread. Times in milliseconds. */
export interface UnreadLimits {
  /** Between two looks at all connections. */
  readonly every: number;
  /** How long a client may take nothing of an answer. */
  readonly stalled: number;
  /** The time over which `leastRate` is an average. */
  readonly longest: number;
  /** How many bytes a second a client must take at the least while there is something for it. */
  readonly leastRate: number;
  /** How many bytes may wait for one address; only those that were waiting at the last look too are counted. */
  readonly perAddress: number;
}

const limits: UnreadLimits = {
  every: 5_000,
  stalled: 20_000,
  longest: 120_000,
  leastRate: 4 * 1024,
  perAddress: 16 * 1024 * 1024,
};

/** How a connection gets on that has had something unread at every look since the first of these. */
interface Progress {
  /** When the average began, on the process's own clock, and how many bytes had been taken by then. */
  since: number;
  from: number;
  /** When something was last seen to be taken, and how many bytes had been taken by then. */
  movedAt: number;
  taken: number;
}

/**
 * Closes connections whose clients do not read their answers: what waits for them is in this process's memory. A client
 * that is slow but reads on may take as long as it needs. Sockets of the order stream are left out, which have a bound of
 * their own.
 *
 * @param isProxy whether an address speaks for many: what waits for it may be any amount, but each of its connections
 *   must be read like all others
 */
export function boundUnread(
  server: Server,
  isProxy: (address: string) => boolean,
  { every, stalled, longest, leastRate, perAddress }: UnreadLimits = limits,
): void {
  const connections = new Set<Socket>();
  let unread = new Map<Socket, Progress>();

  // One for all: there are thousands of connections, and most of them become followers.
  function forget(this: Socket): void {
    connections.delete(this);
  }
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", forget);
  });
  server.on("upgrade", ({ socket }: IncomingMessage) => {
    socket.off("close", forget);
    connections.delete(socket);
  });

  function look(): void {
    const now = elapsed();
    const before = unread;
    unread = new Map();
    const waiting = new Map<string, number>();
    for (const socket of connections) {
      if (socket.writableLength === 0) continue;
      const taken = takenOf(socket);
      const progress = before.get(socket);
      unread.set(socket, progress ?? { since: now, from: taken, movedAt: now, taken });
      if (progress === undefined) continue;
      if (isTooSlow(progress, taken, now)) socket.destroy();
      else bound(socket, waiting);
    }
  }

  /** Notes what a client has taken by now, and whether that is too little. */
  function isTooSlow(progress: Progress, taken: number, now: number): boolean {
    if (taken > progress.taken) Object.assign(progress, { taken, movedAt: now });
    if (now - progress.movedAt > stalled) return true;
    const { since, from } = progress;
    if (now - since <= longest) return false;
    Object.assign(progress, { since: now, from: taken });
    return ((taken - from) * 1000) / (now - since) < leastRate;
  }

  /** Closes a connection when what waits for its address is too much with it. */
  function bound(socket: Socket, waiting: Map<string, number>): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const key = network(remoteAddress);
    const bytes = (waiting.get(key) ?? 0) + socket.writableLength;
    if (bytes > perAddress) socket.destroy();
    else waiting.set(key, bytes);
  }

  const looking = setInterval(look, every);
  looking.unref();
  server.once("close", () => clearInterval(looking));
}

/**
 * How many bytes of what was written to a socket the operating system has taken. A socket's own `bytesWritten` counts what
 * waits, and its `writableLength` shrinks only when the whole of a buffer is taken, which may be megabytes: how much of one
 * has gone is known to the handle alone. Without that, whole buffers are counted.
 */
function takenOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle === "object" && handle !== null) {
    const written: unknown = Reflect.get(handle, "bytesWritten");
    const queued: unknown = Reflect.get(handle, "writeQueueSize");
    if (typeof written === "number" && typeof queued === "number") return written - queued;
  }
  return socket.bytesWritten - socket.writableLength;
}
