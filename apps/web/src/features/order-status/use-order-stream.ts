import type { FollowedOrder } from "@keepsats/protocol";
import { useEffect, useState } from "react";
import { followOrder } from "../../lib/order-stream.ts";

/** The state of the connection to the order stream. `off`: the address has no order or no contract, so nothing is followed. */
export type ConnectionState = "off" | "connecting" | "live" | "down";

/** The state of a followed order. The last order is kept while there is an error or the connection is lost. */
export interface FollowState {
  readonly connection: ConnectionState;
  readonly order: FollowedOrder | undefined;
  /** The kind of the last error message, until the next order message. */
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
 * Follows an order over the order stream; without both ids no connection is opened. The parameters must not change: give the
 * component a React `key` of them.
 */
export function useOrderStream({ orderId, contractId, key, host }: Followed): FollowState {
  const [state, setState] = useState<FollowState>({
    connection: orderId && contractId ? "connecting" : "off",
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
        onOpen: () => setState((now) => ({ ...now, connection: "live" })),
        onDown: () => setState((now) => ({ ...now, connection: "down" })),
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
