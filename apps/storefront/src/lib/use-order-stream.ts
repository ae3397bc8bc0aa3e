import { openSocket } from "@keepsats/client";
import {
  heartbeatWanted,
  type SubscribedOrder,
  shopPaths,
  streamMessageSchema,
  streamParameters,
} from "@keepsats/protocol";
import { useEffect, useState } from "react";
import type { OrderLink } from "./order-link.ts";
import { usePageSettings } from "./page-settings.ts";
import { useSavedOrders } from "./saved-orders.ts";

/** The state of the connection to the order stream. `off`: no subscription. */
export type ConnectionState = "off" | "connecting" | "live" | "down";

/** The last order is kept after an error and while the connection is lost. */
export interface SubscriptionState {
  readonly connection: ConnectionState;
  readonly order: SubscribedOrder | undefined;
  /** The kind of the last error message, until the next order message. */
  readonly error: string | undefined;
}

/** In milliseconds. */
const RECONNECT_DELAY = 5_000;

const off: SubscriptionState = { connection: "off", order: undefined, error: undefined };

/**
 * Subscribes to an order on the order stream. Updates the status of the saved order, and forgets its key
 * if it is revoked. The state survives a change of the loan.
 *
 * @param link `undefined`: no connection is opened
 */
export function useOrderStream(link: OrderLink | undefined): SubscriptionState {
  const { orderId, loanId, key } = link ?? {};
  const { origin } = usePageSettings();
  const savedOrders = useSavedOrders();
  const [subscription, setSubscription] = useState({ orderId, state: startOf(orderId) });

  useEffect(() => {
    if (orderId === undefined) return;
    const update = (change: Partial<SubscriptionState>) =>
      setSubscription((now) => ({
        orderId,
        state: { ...(now.orderId === orderId ? now.state : startOf(orderId)), ...change },
      }));
    update({ connection: "connecting", error: undefined });
    return openSocket({
      url: streamUrl(origin, { orderId, loanId, key }),
      message: streamMessageSchema,
      reconnectDelay: () => RECONNECT_DELAY,
      onOpen: () => update({ connection: "live" }),
      onDown: () => update({ connection: "down" }),
      onMessage(message) {
        if (message.type === "heartbeat") return;
        if (message.type === "error") return update({ error: message.data.kind });
        const { has_key } = message.data;
        if (key !== undefined && has_key === false)
          savedOrders.forgetKey(orderId.toLowerCase(), key);
        update({ order: message.data, error: undefined });
        if (message.data.status)
          savedOrders.recordStatus(orderId.toLowerCase(), message.data.status);
      },
    });
  }, [orderId, loanId, key, origin, savedOrders]);
  return subscription.orderId === orderId ? subscription.state : startOf(orderId);
}

function startOf(orderId: string | undefined): SubscriptionState {
  return orderId === undefined ? off : { ...off, connection: "connecting" };
}

export function streamUrl(origin: string, { orderId, loanId, key }: OrderLink): URL {
  const url = new URL(shopPaths.orderStream, origin.replace(/^http/, "ws"));
  url.searchParams.set(streamParameters.orderId, orderId);
  if (loanId !== undefined) url.searchParams.set(streamParameters.contractId, loanId);
  if (key !== undefined) url.searchParams.set(streamParameters.key, key);
  url.searchParams.set(streamParameters.heartbeat, heartbeatWanted);
  return url;
}
