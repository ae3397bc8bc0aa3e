import type { FollowedOrder } from "@keepsats/protocol";
import { useEffect, useState } from "react";
import { followOrder } from "../../lib/order-stream.ts";

/** How the live link stands. `off`: there is nothing to follow. */
export type LinkState = "off" | "connecting" | "live" | "down";

/** What is known of a followed order. The last known order stays while there is an error or the link is down. */
export interface FollowState {
  readonly link: LinkState;
  readonly order: FollowedOrder | undefined;
  /** The kind of error that the server told last, until an order comes. */
  readonly error: string | undefined;
}

interface Followed {
  readonly orderId: string | null;
  readonly contractId: string | null;
  readonly key: string | undefined;
  /** The origin of the shop's server. */
  readonly host: string;
}

/**
 * Follows an order over the live link; without both ids there is no link. What is followed must not change: give the
 * component a `key` of the ids.
 */
export function useOrderStream({ orderId, contractId, key, host }: Followed): FollowState {
  const [state, setState] = useState<FollowState>({
    link: orderId && contractId ? "connecting" : "off",
    order: undefined,
    error: undefined,
  });

  useEffect(() => {
    if (!orderId || !contractId) {
      console.warn("The order page needs an orderId and a contractId");
      return;
    }
    return followOrder({
      orderId,
      contractId,
      key,
      host,
      events: {
        onOpen: () => setState((now) => ({ ...now, link: "live" })),
        onDown: () => setState((now) => ({ ...now, link: "down" })),
        onMessage: (message) =>
          setState((now) =>
            message.type === "order"
              ? { ...now, order: message.data, error: undefined }
              : { ...now, error: message.data.kind },
          ),
      },
    });
  }, [orderId, contractId, key, host]);
  return state;
}
