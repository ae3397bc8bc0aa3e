import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type Limit, network } from "../limits/limit.ts";
import { FollowerSocket, guardFollower, MAX_FRAME, MAX_FRAMES } from "./follower-socket.ts";
import type { FollowRequest, OrderStream } from "./order-stream.ts";
import { decideUpgrade, refuseUpgrade } from "./upgrade.ts";

/** How long a follower may take to answer a goodbye, in milliseconds. */
const GOODBYE = 1_000;
const GOING_AWAY = 1001;

interface Options {
  readonly stream: Pick<OrderStream, "follow">;
  readonly publicUrl: string;
  readonly limit: Limit;
  /** Hears that an address has too many open. */
  readonly onRefused: (kind: "open-sockets", network: string) => void;
  /** How many sockets an address may have open at a time. */
  readonly most: number;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Between two pings, in milliseconds; one unanswered ping drops the follower. */
  readonly heartbeat: number;
}

/** The sockets of the order stream. */
export interface OrderSockets {
  /** Says 1001 to every follower. */
  close(): void;
}

function destroyOnError(this: Duplex): void {
  this.destroy();
}

/** Serves the order stream on a server's own `upgrade` event. */
export function serveOrderSockets(server: Server, options: Options): OrderSockets {
  const { stream, heartbeat, addressOf, most, onRefused } = options;
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
  const openBy = new Map<string, number>();
  let closing = false;

  /** Notes one socket more, or one less, of an address. */
  function note(address: string, change: 1 | -1): void {
    const open = (openBy.get(address) ?? 0) + change;
    if (open === 0) openBy.delete(address);
    else openBy.set(address, open);
  }

  function onClose(this: WebSocket): void {
    if (!(this instanceof FollowerSocket) || !connections.delete(this)) return;
    note(this.address, -1);
    this.unfollow();
  }

  function open(socket: FollowerSocket, request: FollowRequest, address: string): void {
    connections.add(socket);
    socket.address = address;
    note(address, 1);
    socket.on("close", onClose);
    socket.unfollow = stream.follow(request, socket);
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
    if (socket.destroyed) return;
    if (closing) return refuseUpgrade(socket, "unavailable");
    if (decision.kind === "refuse") return refuseUpgrade(socket, decision.code, decision.details);
    const key = network(address);
    if ((openBy.get(key) ?? 0) >= most) {
      onRefused("open-sockets", key);
      return refuseUpgrade(socket, "too_many");
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      guardFollower(webSocket, socket);
      open(webSocket, decision.request, key);
    });
  }

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", destroyOnError);
    upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const beating = setInterval(beat, heartbeat);
  beating.unref();

  return {
    close() {
      closing = true;
      clearInterval(beating);
      for (const socket of connections) {
        socket.close(GOING_AWAY);
        setTimeout(() => socket.terminate(), GOODBYE).unref();
      }
    },
  };
}
