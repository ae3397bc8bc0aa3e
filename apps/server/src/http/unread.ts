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
  /** How long an answer may take to be sent. */
  readonly longest: number;
  /** How many bytes may wait for one address, once they have waited from one look to the next. */
  readonly perAddress: number;
}

const limits: UnreadLimits = {
  every: 5_000,
  stalled: 20_000,
  longest: 120_000,
  perAddress: 16 * 1024 * 1024,
};

/**
 * Closes connections whose clients do not read their answers: what waits for them is in this process's memory. Sockets
 * of the order stream are left out, which have a bound of their own.
 *
 * @param isProxy whether an address speaks for many, so that it has no bound of its own
 */
export function boundUnread(
  server: Server,
  isProxy: (address: string) => boolean,
  { every, stalled, longest, perAddress }: UnreadLimits = limits,
): void {
  const connections = new Set<Socket>();
  /** Since when each connection has had something unread, on the process's own clock. */
  let unread = new Map<Socket, number>();

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
      const since = before.get(socket);
      unread.set(socket, since ?? now);
      // Node closes it when nothing moves for so long, and takes the limit away when the answer is sent.
      if (since === undefined) socket.setTimeout(stalled);
      else if (now - since > longest) socket.destroy();
      else bound(socket, waiting);
    }
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
