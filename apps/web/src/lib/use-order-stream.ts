import { openSocket } from "@keepsats/client";
import {
  type FollowedOrder,
  heartbeatWanted,
  shopPaths,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";
import { useEffect, useState } from "react";
import type { OrderLink } from "./order-link.ts";
import { useOwnOrders } from "./own-orders.ts";

/** The state of the connection to the order stream. `off`: no order is followed. */
export type ConnectionState = "off" | "connecting" | "live" | "down";

/**
 * The state of a followed order. The last order is kept while there is an error or the connection
 * is lost.
 */
export interface FollowState {
  readonly connection: ConnectionState;
  readonly order: FollowedOrder | undefined;
  /** The kind of the last error message, until the next order message. */
  readonly error: string | undefined;
}

/** The delay from a lost connection to the reconnect, in milliseconds. */
const RECONNECT_DELAY = 5_000;

const off: FollowState = { connection: "off", order: undefined, error: undefined };

/**
 * Follows an order over the order stream, and notes among the browser's own orders its status, and
 * if their key is void. With another contract the same order is followed on.
 *
 * @param link `undefined`: nothing is followed, and no connection is opened
 * @param host the origin of the shop's server
 */
export function useOrderStream(link: OrderLink | undefined, host: string): FollowState {
  const { orderId, contractId, key } = link ?? {};
  const ownOrders = useOwnOrders();
  const [followed, setFollowed] = useState({ orderId, state: startOf(orderId) });

  useEffect(() => {
    if (orderId === undefined) return;
    const update = (change: Partial<FollowState>) =>
      setFollowed((now) => ({
        orderId,
        state: { ...(now.orderId === orderId ? now.state : startOf(orderId)), ...change },
      }));
    update({ connection: "connecting", error: undefined });
    return openSocket({
      url: addressOf(host, { orderId, contractId, key }),
      message: streamMessageSchema,
      reconnectDelay: () => RECONNECT_DELAY,
      onOpen: () => update({ connection: "live" }),
      onDown: () => update({ connection: "down" }),
      onMessage(message) {
        if (message.type === "heartbeat") return;
        if (message.type === "error") return update({ error: message.data.kind });
        const { has_key } = message.data;
        if (key !== undefined && has_key === false) ownOrders.forgetKey(orderId.toLowerCase(), key);
        update({ order: message.data, error: undefined });
        if (message.data.status) ownOrders.noteStatus(orderId.toLowerCase(), message.data.status);
      },
    });
  }, [orderId, contractId, key, host, ownOrders]);
  return followed.orderId === orderId ? followed.state : startOf(orderId);
}

function startOf(orderId: string | undefined): FollowState {
  return orderId === undefined ? off : { ...off, connection: "connecting" };
}

export function addressOf(host: string, { orderId, contractId, key }: OrderLink): URL {
  const url = new URL(shopPaths.orderStream, host.replace(/^http/, "ws"));
  url.searchParams.set(streamParameters.orderId, orderId);
  if (contractId !== undefined) url.searchParams.set(streamParameters.contractId, contractId);
  if (key !== undefined) url.searchParams.set(streamParameters.key, key);
  url.searchParams.set(streamParameters.heartbeat, heartbeatWanted);
  return url;
}
