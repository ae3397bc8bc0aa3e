import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import type { OrderFollowerProps } from "../../features/order-status/order-follower.tsx";
import type { OwnOrder } from "../../lib/own-orders.ts";
import type { FollowState } from "../../lib/use-order-stream.ts";
import { usePageConfig } from "../page-config.ts";

interface FollowedOrder {
  /** `undefined` until the order's code is loaded. */
  readonly state: FollowState | undefined;
  /** What follows the order. It must be rendered and shows nothing. */
  readonly follower: ReactNode;
}

/**
 * Follows an order that was placed in this browser. If the code for it does not load, the screen
 * goes on without it.
 *
 * @param OrderFollower the lazy component that follows an order
 */
export function useFollowOrder(
  order: OwnOrder | undefined,
  OrderFollower: ComponentType<OrderFollowerProps>,
): FollowedOrder {
  const { origin } = usePageConfig();
  const [followed, setFollowed] = useState<{ readonly id: string; readonly state: FollowState }>();
  if (order === undefined || (order.key ?? order.contractId) === undefined)
    return { state: undefined, follower: null };
  const { id, contractId, key } = order;
  return {
    state: followed?.id === id ? followed.state : undefined,
    follower: (
      <ErrorBoundary fallback={null}>
        <Suspense>
          <OrderFollower
            key={id}
            link={{ orderId: id, contractId, key }}
            host={origin}
            onChange={(state) => setFollowed({ id, state })}
          />
        </Suspense>
      </ErrorBoundary>
    ),
  };
}
