import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type Limit, network } from "../limits/limit.ts";
import type { OrderStream } from "./order-stream.ts";
import { decideUpgrade, type FollowRequest, refuseUpgrade } from "./upgrade.ts";

/** The largest frame a follower may send, in bytes; it has nothing to say. */
const MAX_FRAME = 4 * 1024;
/** How much may wait unread for a follower before it is dropped, in bytes. */
const MAX_UNREAD = 256 * 1024;
/** How many frames a follower may send between two heartbeats. */
const MAX_FRAMES = 20;
/** How long a follower may take to answer a goodbye, in milliseconds. */
const GOODBYE = 1_000;
const GOING_AWAY = 1001;
const POLICY = 1008;

interface Options {
  readonly stream: Pick<OrderStream, "follow">;
  readonly publicUrl: string;
  readonly limit: Limit;
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

interface Connection {
  readonly socket: WebSocket;
  alive: boolean;
  frames: number;
}

/** Serves the order stream on a server's own `upgrade` event. */
export function serveOrderSockets(server: Server, options: Options): OrderSockets {
  const { stream, heartbeat, addressOf, most } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME,
  });
  const connections = new Set<Connection>();
  const openBy = new Map<string, number>();
  let closing = false;

  /** Notes one socket more, or one less, of an address. */
  function note(address: string, change: 1 | -1): void {
    const open = (openBy.get(address) ?? 0) + change;
    if (open === 0) openBy.delete(address);
    else openBy.set(address, open);
  }

  function open(socket: WebSocket, request: FollowRequest, address: string): void {
    const connection: Connection = { socket, alive: true, frames: 0 };
    note(address, 1);
    connections.add(connection);
    const unfollow = stream.follow(request.orderId, request.contractId, {
      version: 0,
      send(message) {
        if (socket.readyState !== socket.OPEN) return;
        if (socket.bufferedAmount > MAX_UNREAD) socket.terminate();
        else socket.send(message, { binary: false });
      },
    });
    socket.on("pong", () => {
      connection.alive = true;
    });
    socket.on("message", () => {
      connection.frames += 1;
      if (connection.frames > MAX_FRAMES) socket.close(POLICY);
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      connections.delete(connection);
      note(address, -1);
      unfollow();
    });
  }

  function beat(): void {
    for (const connection of connections) {
      if (!connection.alive) {
        connection.socket.terminate();
        continue;
      }
      connection.alive = false;
      connection.frames = 0;
      connection.socket.ping();
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = addressOf(request);
    const decision = await decideUpgrade(request, address, options);
    if (socket.destroyed) return;
    if (closing) return refuseUpgrade(socket, "unavailable");
    if (decision.kind === "refuse") return refuseUpgrade(socket, decision.code, decision.details);
    const key = network(address);
    if ((openBy.get(key) ?? 0) >= most) return refuseUpgrade(socket, "too_many");
    sockets.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, decision.request, key));
  }

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const beating = setInterval(beat, heartbeat);
  beating.unref();

  return {
    close() {
      closing = true;
      clearInterval(beating);
      for (const { socket } of connections) {
        socket.close(GOING_AWAY);
        setTimeout(() => socket.terminate(), GOODBYE).unref();
      }
    },
  };
}
