import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { elapsed } from "../clock.ts";
import { type Limit, network } from "../limits/limit.ts";
import { FollowerSocket, limitBytes, MAX_FRAME, MAX_FRAMES } from "./follower-socket.ts";
import { createHeartbeats } from "./heartbeats.ts";
import type { FollowRequest, OrderStream } from "./order-stream.ts";
import { createAdmission, type Pace, spread } from "./pace.ts";
import { decideUpgrade, hangUpSoon, refuseUpgrade, type UpgradeDecision } from "./upgrade.ts";

/** How long a follower may take to answer a goodbye, in milliseconds. */
const GOODBYE = 1_000;
const GOING_AWAY = 1001;
/**
 * After a restart all followers come back in the same moment. They come in at a rate that leaves time for others, and the
 * rest wait: a page that is refused comes back 5 seconds later, in the same moment as all others that were.
 */
const PACE: Pace = { perSecond: 4_000, burst: 500, mostWaiting: 8_000 };
/** When who finds no room may come again, in seconds: some time between these. */
const COME_AGAIN = { from: 1, to: 5 };

interface Options {
  readonly stream: Pick<OrderStream, "follow">;
  readonly publicUrl: string;
  readonly limit: Limit;
  /** Hears that an address has too many open. */
  readonly onRefused: (kind: "open-sockets", network: string) => void;
  /** How many sockets an address may have open at a time. */
  readonly most: number;
  readonly addressOf: (request: IncomingMessage) => string;
  /** How fast followers are let in. */
  readonly pace?: Pace;
  /** Between two pings, in milliseconds; one unanswered ping drops the follower. */
  readonly heartbeat: number;
}

/** One who may come in. */
interface Newcomer {
  /** What came after the head of the request. */
  readonly head: Buffer;
  readonly address: string;
  readonly follow: FollowRequest;
  /** It asks for heartbeats. */
  readonly heartbeat: boolean;
}

/** The sockets of the order stream. */
export interface OrderSockets {
  /**
   * Says 1001 to every follower, and lets no other in once all are told.
   *
   * @param overMilliseconds the time over which they are told, one after another, so that they do not all come back at
   *   once; those who come meanwhile are told at its end. 0 is at once, before it returns.
   */
  close(overMilliseconds?: number): Promise<void>;
}

function destroyOnError(this: Duplex): void {
  this.destroy();
}

/** Serves the order stream on a server's own `upgrade` event. */
export function serveOrderSockets(server: Server, options: Options): OrderSockets {
  const { stream, heartbeat: pingInterval, addressOf, most, onRefused, pace = PACE } = options;
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
  /** Those who have asked for a socket and have none yet. Node's own list of connections is without them. */
  const newcomers = new Set<Duplex>();
  const openBy = new Map<string, number>();
  const admission = createAdmission(pace, elapsed);
  const heartbeats = createHeartbeats<FollowerSocket>();
  let closing = false;

  /** Notes one socket more, or one less, of an address. */
  function note(address: string, change: 1 | -1): void {
    const open = (openBy.get(address) ?? 0) + change;
    if (open === 0) openBy.delete(address);
    else openBy.set(address, open);
  }

  function onGone(socket: FollowerSocket): void {
    if (!connections.delete(socket)) return;
    note(socket.address, -1);
    heartbeats.remove(socket);
    socket.unfollow();
  }

  function open(socket: FollowerSocket, { follow, heartbeat }: Newcomer, address: string): void {
    connections.add(socket);
    socket.address = address;
    note(address, 1);
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
    const decision = await decideUpgrade(request, address, options);
    if (decision.kind === "refuse") return refuse(socket, decision);
    const { request: follow, heartbeat } = decision;
    const hasRoom = admission.admit(() => enter(request, socket, { head, address, follow, heartbeat }));
    if (!hasRoom) refuseForNow(socket);
  }

  function refuse(socket: Duplex, { code, details }: Extract<UpgradeDecision, { kind: "refuse" }>): void {
    if (!socket.destroyed) refuseUpgrade(socket, code, details);
  }

  function refuseForNow(socket: Duplex): void {
    const { from, to } = COME_AGAIN;
    refuseUpgrade(socket, "unavailable", { retryAfter: from + Math.floor(Math.random() * (to - from + 1)) });
  }

  function enter(request: IncomingMessage, socket: Duplex, newcomer: Newcomer): void {
    if (socket.destroyed) return;
    // A follower hears nothing while an earlier answer on its connection is unread.
    if (closing || socket.writableLength > 0) return refuseForNow(socket);
    const key = network(newcomer.address);
    if ((openBy.get(key) ?? 0) >= most) {
      onRefused("open-sockets", key);
      return refuseUpgrade(socket, "too_many");
    }
    sockets.handleUpgrade(request, socket, newcomer.head, (webSocket) => {
      // `ws` hears of errors from here on.
      socket.off("error", destroyOnError).off("close", forget);
      newcomers.delete(socket);
      limitBytes(webSocket, socket);
      open(webSocket, newcomer, key);
    });
    // `ws` has refused it.
    if (newcomers.has(socket)) hangUpSoon(socket);
  }

  function forget(this: Duplex): void {
    newcomers.delete(this);
  }

  function dropNewcomers(): void {
    for (const socket of newcomers) socket.destroy();
  }

  function sayGoodbye(socket: FollowerSocket): void {
    socket.close(GOING_AWAY);
    setTimeout(() => socket.terminate(), GOODBYE).unref();
  }

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    newcomers.add(socket);
    socket.on("error", destroyOnError).on("close", forget);
    upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const beating = setInterval(beat, pingInterval);
  beating.unref();

  return {
    async close(overMilliseconds = 0) {
      const telling = spread(connections, overMilliseconds, sayGoodbye);
      if (overMilliseconds > 0) await telling;
      closing = true;
      clearInterval(beating);
      heartbeats.close();
      admission.close();
      for (const socket of connections) if (socket.readyState === socket.OPEN) sayGoodbye(socket);
      setTimeout(dropNewcomers, GOODBYE).unref();
    },
  };
}
