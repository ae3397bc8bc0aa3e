import { useEffect, useEffectEvent } from "react";
import type { OrderLink } from "../../lib/order-link.ts";
import { type FollowState, useOrderStream } from "../../lib/use-order-stream.ts";

export interface OrderFollowerProps {
  readonly link: OrderLink;
  /** The origin of the shop's server. */
  readonly host: string;
  readonly onChange: (state: FollowState) => void;
}

/** Follows an order for a screen that shows something else. It shows nothing itself. */
export function OrderFollower({ link, host, onChange }: OrderFollowerProps) {
  const state = useOrderStream(link, host);
  const report = useEffectEvent(onChange);
  useEffect(() => report(state), [state]);
  return null;
}
