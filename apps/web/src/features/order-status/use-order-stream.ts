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

const nothing: FollowState = { link: "connecting", order: undefined, error: undefined };

interface Followed {
  readonly orderId: string | null;
  readonly contractId: string | null;
  readonly key: string | undefined;
}

/** Follows an order over the live link; without both ids there is no link. */
export function useOrderStream({ orderId, contractId, key }: Followed): FollowState {
  const [state, setState] = useState(nothing);

  useEffect(() => {
    if (!orderId || !contractId) {
      console.warn("The order page needs an orderId and a contractId");
      setState({ ...nothing, link: "off" });
      return;
    }
    setState(nothing);
    return followOrder({
      orderId,
      contractId,
      key,
      host: window.location.origin,
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
  }, [orderId, contractId, key]);
  return state;
}
