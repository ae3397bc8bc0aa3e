import type { ReactNode } from "react";
import { OrderDetails } from "./order-details.tsx";
import { StatusAlert } from "./status-alert.tsx";
import { streamErrorHint, streamErrorText } from "./status-texts.ts";
import type { FollowState } from "./use-order-stream.ts";

interface OrderScreenProps {
  readonly state: FollowState;
  /** The addresses of the items' pictures by item id. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The way to pay again, while the last payment attempt has failed. */
  readonly retry: ReactNode | undefined;
}

/** Everything below the heading of the order page. */
export function OrderScreen({ state, pictures, retry }: OrderScreenProps) {
  const { link, order, error } = state;
  return (
    <div className="space-y-10">
      {error !== undefined && (
        <div className="border-t border-line pt-5">
          <p role="alert" className="text-lg text-danger">
            {streamErrorText(error)}
          </p>
          <p className="mt-1 text-ink-soft">{streamErrorHint(error)}</p>
        </div>
      )}
      {order === undefined && error === undefined && (
        <div role="status" className="border-y border-line py-12 text-lg text-ink-soft">
          <p>Loading order status...</p>
          {link === "off" && (
            <p className="mt-2 text-base">
              The link to this page should name an order and a contract. Open it again from where you got it.
            </p>
          )}
        </div>
      )}
      {order !== undefined && (
        <>
          <StatusAlert status={order.status} attemptOver={retry !== undefined} />
          {retry}
          <OrderDetails order={order} pictures={pictures} />
        </>
      )}
    </div>
  );
}
