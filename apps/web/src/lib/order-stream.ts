import { openSocket } from "@keepsats/client";
import {
  heartbeatWanted,
  type StreamMessage,
  shopPaths,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";
import type { OrderLink } from "./order-link.ts";

/** A message about the order itself; heartbeats are left out. */
export type OrderMessage = Exclude<StreamMessage, { type: "heartbeat" }>;

interface Options extends OrderLink {
  /** The origin of the shop's server, such as `https://shop.example`. */
  readonly host: string;
  onOpen(): void;
  onMessage(message: OrderMessage): void;
  /** The connection is lost. A reconnect follows after {@link RECONNECT_DELAY}. */
  onDown(): void;
}

/** The delay from a lost connection to the reconnect, in milliseconds. */
const RECONNECT_DELAY = 5_000;

/**
 * Follows an order over a WebSocket.
 *
 * @returns a function that stops following
 */
export function followOrder({ host, onOpen, onMessage, onDown, ...order }: Options): () => void {
  return openSocket({
    url: addressOf(host, order),
    message: streamMessageSchema,
    reconnectDelay: () => RECONNECT_DELAY,
    onOpen,
    onDown,
    onMessage(message) {
      if (message.type !== "heartbeat") onMessage(message);
    },
  });
}

function addressOf(host: string, { orderId, contractId, key }: OrderLink): URL {
  const url = new URL(shopPaths.orderStream, host.replace(/^http/, "ws"));
  url.searchParams.set(streamParameters.orderId, orderId);
  if (contractId !== undefined) url.searchParams.set(streamParameters.contractId, contractId);
  if (key !== undefined) url.searchParams.set(streamParameters.key, key);
  url.searchParams.set(streamParameters.heartbeat, heartbeatWanted);
  return url;
}
