import type { IncomingMessage, Server } from "node:http";
import { HEARTBEAT_INTERVAL } from "@keepsats/protocol";
import {
  type AdmissionLimits,
  createAdmission,
  spread,
} from "../../platform/http/defences/admission.ts";
import {
  closeSocket,
  GOING_AWAY,
  refuseUpgrade,
  serveWebSockets,
  type Upgrade,
} from "../../platform/http/websocket.ts";
import { networkOf } from "../../platform/rate-limit/limit.ts";
import { elapsed } from "../../platform/scheduling/clock.ts";
import type { OrderStream } from "./order-stream.ts";
import { limitBytes, MAX_FRAME, MAX_FRAMES, SubscriberSocket } from "./subscriber-socket.ts";
import { decideUpgrade, type UpgradeOptions } from "./upgrade.ts";

/**
 * After a restart all subscribers reconnect at the same moment. They are admitted at a rate that
 * leaves time for other requests, and queued rather than refused, because refused pages would all
 * reconnect 5 seconds later.
 */
const PACE: AdmissionLimits = { perSecond: 4_000, burst: 500, maxWaiting: 8_000 };
/** The time over which a heartbeat is sent to all subscribers, in milliseconds. */
const HEARTBEAT_SPREAD = 1_000;
/** A page that gets none for a while reconnects. */
const heartbeat = Buffer.from(JSON.stringify({ type: "heartbeat" }));

interface Options extends UpgradeOptions {
  readonly stream: Pick<OrderStream, "subscribe">;
  /** Called when an address is refused because it has too many open sockets. */
  readonly onRefused: (kind: "open-sockets", network: string) => void;
  /** The most open sockets per address. */
  readonly maxPerAddress: number;
  readonly addressOf: (request: IncomingMessage) => string;
  /** The rate limit of new subscribers. */
  readonly pace?: AdmissionLimits;
  /**
   * The interval between two pings, in milliseconds. A subscriber that has not answered by the next
   * ping is disconnected.
   */
  readonly pingInterval: number;
}

export type OrderSockets = ReturnType<typeof serveOrderSockets>;

/** Serves the order stream on a server's own `upgrade` event. */
export function serveOrderSockets(server: Server, options: Options) {
  const { stream, pingInterval, addressOf, maxPerAddress, onRefused, pace = PACE } = options;
  const webSockets = serveWebSockets(
    server,
    {
      maxPayload: MAX_FRAME,
      maxFragments: MAX_FRAMES,
      maxBufferedChunks: MAX_FRAMES,
      WebSocket: SubscriberSocket,
    },
    (upgrade) => void admit(upgrade).catch(() => upgrade.socket.destroy()),
  );
  const connections = new Set<SubscriberSocket>();
  const openByNetwork = new Map<string, number>();
  const admission = createAdmission(pace, elapsed);
  let keyReplacements = 0;

  function countOpen(network: string, change: 1 | -1): void {
    const open = (openByNetwork.get(network) ?? 0) + change;
    if (open === 0) openByNetwork.delete(network);
    else openByNetwork.set(network, open);
  }

  function onGone(socket: SubscriberSocket): void {
    if (!connections.delete(socket)) return;
    countOpen(socket.network, -1);
    socket.unsubscribe();
  }

  function sendHeartbeat(socket: SubscriberSocket): void {
    if (socket.wantsHeartbeats) socket.deliver(heartbeat);
  }

  function beat(): void {
    for (const socket of connections) {
      if (socket.isAlive) socket.beat();
      else socket.terminate();
    }
  }

  async function admit(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    const address = addressOf(request);
    const network = networkOf(address);
    const replacementsBefore = keyReplacements;
    const decision = await decideUpgrade(request, address, options);
    if (decision.kind === "refuse") return refuseUpgrade(socket, decision.code, decision.details);
    const { request: subscription, heartbeat } = decision;

    function enter(): void {
      if (socket.destroyed) return;
      // While an earlier response on the connection is unread, a subscriber would receive nothing.
      if (socket.writableLength > 0) return refuseUpgrade(socket, "unavailable");
      // Its key may be revoked by now.
      if (subscription.holdsKey && replacementsBefore < keyReplacements)
        return refuseUpgrade(socket, "unavailable");
      if ((openByNetwork.get(network) ?? 0) >= maxPerAddress) {
        onRefused("open-sockets", network);
        return refuseUpgrade(socket, "too_many");
      }
      webSockets.open(upgrade, (subscriber) => {
        limitBytes(subscriber, socket);
        connections.add(subscriber);
        subscriber.network = network;
        countOpen(network, 1);
        subscriber.onGone = onGone;
        subscriber.wantsHeartbeats = heartbeat;
        sendHeartbeat(subscriber);
        subscriber.unsubscribe = stream.subscribe(subscription, subscriber);
      });
    }
    if (!admission.admit(enter)) refuseUpgrade(socket, "unavailable");
  }

  const goAway = (socket: SubscriberSocket) => closeSocket(socket, GOING_AWAY);

  const sendHeartbeats = () => void spread(connections, HEARTBEAT_SPREAD, sendHeartbeat);
  const timers = [setInterval(beat, pingInterval), setInterval(sendHeartbeats, HEARTBEAT_INTERVAL)];
  for (const timer of timers) timer.unref();

  return {
    /** How many sockets are open. */
    get open(): number {
      return connections.size;
    },
    /** Closes the sockets of subscribers that have presented an order key. Their pages reconnect. */
    closeKeyHolders(): void {
      keyReplacements += 1;
      for (const socket of connections) if (socket.holdsKey) goAway(socket);
    },
    /**
     * Closes all sockets with code 1001, then refuses new ones.
     *
     * @param overMilliseconds the duration over which the sockets are closed one after another, so
     *   that not all reconnect at once. Sockets opened during that time are closed at its end. With
     *   0 all are closed before it returns.
     */
    async close(overMilliseconds = 0): Promise<void> {
      const closed = spread(connections, overMilliseconds, goAway);
      if (overMilliseconds > 0) await closed;
      webSockets.close();
      for (const timer of timers) clearInterval(timer);
      admission.close();
      for (const socket of connections) if (socket.readyState === socket.OPEN) goAway(socket);
    },
  };
}
