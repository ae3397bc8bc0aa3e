import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { elapsed } from "../clock.ts";
import { network } from "../limits/limit.ts";

/** The limits of unread data. Times in milliseconds. */
export interface UnreadLimits {
  /** The interval between two scans of all connections. */
  readonly every: number;
  /** The timeout for a client that reads nothing of an answer. */
  readonly stalled: number;
  /** The duration over which `leastRate` is averaged. */
  readonly longest: number;
  /** The least rate at which a client must read, in bytes per second. */
  readonly leastRate: number;
  /**
   * The most unread bytes per address. Connections are counted that had unread bytes in the last
   * scan too.
   */
  readonly perAddress: number;
}

const limits: UnreadLimits = {
  every: 5_000,
  stalled: 20_000,
  longest: 120_000,
  leastRate: 4 * 1024,
  perAddress: 16 * 1024 * 1024,
};

/**
 * The progress of a connection that has had unread bytes in every scan since the first one here.
 */
interface Progress {
  /**
   * When the average began, by the process's monotonic clock, and how many bytes had been read by
   * then.
   */
  since: number;
  from: number;
  /** When the client was last seen to read, and how many bytes it had read by then. */
  movedAt: number;
  taken: number;
}

/**
 * Closes connections whose clients do not read their answers, because unread data stays in this
 * process's memory. A slow client that keeps reading may take as long as it needs. Sockets of the
 * order stream are left out; they have a limit of their own.
 *
 * @param isProxy whether an address is a trusted proxy. It has no limit of unread bytes, but each
 *   of its connections must be read like all others.
 */
export function boundUnread(
  server: Server,
  isProxy: (address: string) => boolean,
  { every, stalled, longest, leastRate, perAddress }: UnreadLimits = limits,
): void {
  const connections = new Set<Socket>();
  let unread = new Map<Socket, Progress>();

  // One listener function for all connections saves memory: there are thousands, and most become
  // followers.
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

  function scan(): void {
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

  /** Updates the progress of a client. @returns whether it reads too slowly */
  function isTooSlow(progress: Progress, taken: number, now: number): boolean {
    if (taken > progress.taken) Object.assign(progress, { taken, movedAt: now });
    if (now - progress.movedAt > stalled) return true;
    const { since, from } = progress;
    if (now - since <= longest) return false;
    Object.assign(progress, { since: now, from: taken });
    return ((taken - from) * 1000) / (now - since) < leastRate;
  }

  /** Closes a connection if its address is over the limit of unread bytes with it. */
  function bound(socket: Socket, waiting: Map<string, number>): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const key = network(remoteAddress);
    const bytes = (waiting.get(key) ?? 0) + socket.writableLength;
    if (bytes > perAddress) socket.destroy();
    else waiting.set(key, bytes);
  }

  const scanning = setInterval(scan, every);
  scanning.unref();
  server.once("close", () => clearInterval(scanning));
}

/**
 * How many of the bytes written to a socket the operating system has accepted. The socket's
 * `bytesWritten` includes waiting bytes, and its `writableLength` shrinks only by whole buffers,
 * which may be megabytes. Only the internal handle counts parts of a buffer; without it, whole
 * buffers are counted.
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
