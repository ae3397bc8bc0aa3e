import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { elapsed } from "../clock.ts";
import { createAdmission, type Pace, spread } from "../http/defences/pace.ts";
import { destroyWhenSent, refuseUpgrade } from "../http/defences/refuse-upgrade.ts";
import type { CheckKey } from "../http/order-key.ts";
import { type Limit, network } from "../limits/limit.ts";
import { FollowerSocket, limitBytes, MAX_FRAME, MAX_FRAMES } from "./follower-socket.ts";
import { createHeartbeats } from "./heartbeats.ts";
import type { FollowRequest, OrderStream } from "./order-stream.ts";
import { decideUpgrade, type UpgradeDecision } from "./upgrade.ts";

/** The timeout for a follower to answer a close frame, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;
const GOING_AWAY = 1001;
/**
 * After a restart all followers reconnect at the same moment. They are admitted at a rate that
 * leaves time for other requests, and queued instead of refused, because all refused pages would
 * reconnect together 5 seconds later.
 */
const PACE: Pace = { perSecond: 4_000, burst: 500, maxWaiting: 8_000 };
/** The range of the random `Retry-After` when the queue is full, in seconds. */
const RETRY_AFTER = { from: 1, to: 5 };

interface Options {
  readonly stream: Pick<OrderStream, "follow">;
  readonly publicUrl: string;
  readonly limit: Limit;
  readonly checkKey: CheckKey;
  /** Called when an address is refused because it has too many open sockets. */
  readonly onRefused: (kind: "open-sockets", network: string) => void;
  /** The most open sockets per address. */
  readonly most: number;
  readonly addressOf: (request: IncomingMessage) => string;
  /** The rate limit of new followers. */
  readonly pace?: Pace;
  /**
   * The interval between two pings, in milliseconds. A follower that has not answered by the next
   * ping is disconnected.
   */
  readonly pingInterval: number;
}

/** A client whose request was accepted, and that has no socket yet. */
interface Newcomer {
  /** The bytes that arrived after the head of the request. */
  readonly head: Buffer;
  readonly address: string;
  readonly follow: FollowRequest;
  /** How often the keys of orders had been replaced when its key was checked. */
  readonly replaced: number;
  /** Whether it asks for heartbeats. */
  readonly heartbeat: boolean;
}

/** The sockets of the order stream. */
export interface OrderSockets {
  /**
   * Closes the sockets of followers that have presented their order's key. Their pages reconnect
   * and present it again.
   */
  closeKeyHolders(): void;
  /**
   * Closes the socket of every follower with code 1001. Then new ones are refused.
   *
   * @param overMilliseconds the duration over which the sockets are closed one after another, so
   *   that not all reconnect at once. Sockets that are opened meanwhile are closed at its end. With
   *   0 all are closed before it returns.
   */
  close(overMilliseconds?: number): Promise<void>;
}

function destroyOnError(this: Duplex): void {
  this.destroy();
}

/** Serves the order stream on a server's own `upgrade` event. */
export function serveOrderSockets(server: Server, options: Options): OrderSockets {
  const { stream, pingInterval, addressOf, most, onRefused, pace = PACE } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME,
    maxFragments: MAX_FRAMES,
    maxBufferedChunks: MAX_FRAMES,
    WebSocket: FollowerSocket,
  });
  const connections = new Set<FollowerSocket>();
  /**
   * Connections that have asked for a socket and have none yet. Node does not list them as
   * connections of the server.
   */
  const newcomers = new Set<Duplex>();
  const openBy = new Map<string, number>();
  const admission = createAdmission(pace, elapsed);
  const heartbeats = createHeartbeats<FollowerSocket>();
  let closing = false;
  let replaced = 0;

  /** Counts one more or one fewer open socket of an address. */
  function countOpen(address: string, change: 1 | -1): void {
    const open = (openBy.get(address) ?? 0) + change;
    if (open === 0) openBy.delete(address);
    else openBy.set(address, open);
  }

  function onGone(socket: FollowerSocket): void {
    if (!connections.delete(socket)) return;
    countOpen(socket.address, -1);
    heartbeats.remove(socket);
    socket.unfollow();
  }

  function open(socket: FollowerSocket, { follow, heartbeat }: Newcomer, address: string): void {
    connections.add(socket);
    socket.address = address;
    countOpen(address, 1);
    socket.onGone = onGone;
    if (heartbeat) heartbeats.add(socket);
    socket.unfollow = stream.follow(follow, socket);
  }

  function beat(): void {
    for (const socket of connections) {
      if (socket.alive) socket.beat();
      else socket.terminate();
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = addressOf(request);
    const newcomer = { head, address, replaced };
    const decision = await decideUpgrade(request, address, options);
    if (decision.kind === "refuse") return refuse(socket, decision);
    const { request: follow, heartbeat } = decision;
    const hasRoom = admission.admit(() =>
      enter(request, socket, { ...newcomer, follow, heartbeat }),
    );
    if (!hasRoom) refuseForNow(socket);
  }

  function refuse(
    socket: Duplex,
    { code, details }: Extract<UpgradeDecision, { kind: "refuse" }>,
  ): void {
    if (!socket.destroyed) refuseUpgrade(socket, code, details);
  }

  function refuseForNow(socket: Duplex): void {
    const { from, to } = RETRY_AFTER;
    refuseUpgrade(socket, "unavailable", {
      retryAfter: from + Math.floor(Math.random() * (to - from + 1)),
    });
  }

  function enter(request: IncomingMessage, socket: Duplex, newcomer: Newcomer): void {
    if (socket.destroyed) return;
    // While an earlier response on the connection is unread, a follower would receive nothing.
    if (closing || socket.writableLength > 0) return refuseForNow(socket);
    // Its key may be void by now.
    if (newcomer.follow.holdsKey && newcomer.replaced < replaced) return refuseForNow(socket);
    const key = network(newcomer.address);
    if ((openBy.get(key) ?? 0) >= most) {
      onRefused("open-sockets", key);
      return refuseUpgrade(socket, "too_many");
    }
    sockets.handleUpgrade(request, socket, newcomer.head, (webSocket) => {
      // From here on, `ws` handles errors.
      socket.off("error", destroyOnError).off("close", forget);
      newcomers.delete(socket);
      limitBytes(webSocket, socket);
      open(webSocket, newcomer, key);
    });
    // Still pending: `ws` has refused the handshake.
    if (newcomers.has(socket)) destroyWhenSent(socket);
  }

  function forget(this: Duplex): void {
    newcomers.delete(this);
  }

  function dropNewcomers(): void {
    for (const socket of newcomers) socket.destroy();
  }

  function closeSocket(socket: FollowerSocket): void {
    socket.close(GOING_AWAY);
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT).unref();
  }

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    newcomers.add(socket);
    socket.on("error", destroyOnError).on("close", forget);
    upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const beating = setInterval(beat, pingInterval);
  beating.unref();

  return {
    closeKeyHolders() {
      replaced += 1;
      for (const socket of connections) if (socket.holdsKey) closeSocket(socket);
    },
    async close(overMilliseconds = 0) {
      const closed = spread(connections, overMilliseconds, closeSocket);
      if (overMilliseconds > 0) await closed;
      closing = true;
      clearInterval(beating);
      heartbeats.close();
      admission.close();
      for (const socket of connections) if (socket.readyState === socket.OPEN) closeSocket(socket);
      setTimeout(dropNewcomers, CLOSE_TIMEOUT).unref();
    },
  };
}
