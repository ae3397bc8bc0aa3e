import type { ReactNode } from "react";
import { OrderDetails } from "./order-details.tsx";
import { StatusAlert } from "./status-alert.tsx";
import { streamErrorHint, streamErrorText } from "./status-texts.ts";
import type { FollowState } from "./use-order-stream.ts";

interface OrderScreenProps {
  readonly state: FollowState;
  /** The addresses of the items' pictures by item id. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The link to the checkout, below the message that the contract is not found. */
  readonly retryAtCheckout: ReactNode;
  /** The section with the button "Try payment again"; `undefined` unless the last payment attempt has failed. */
  readonly retryPayment: ReactNode | undefined;
}

/** The content of the order page below its heading. */
export function OrderScreen({ state, pictures, retryAtCheckout, retryPayment }: OrderScreenProps) {
  const { connection, order, error } = state;
  return (
    <div className="space-y-10">
      {error !== undefined && (
        <div className="border-t border-line pt-5">
          <p role="alert" className="text-lg text-danger">
            {streamErrorText(error)}
          </p>
          <p className="mt-1 text-ink-soft">{streamErrorHint(error)}</p>
          {retryAtCheckout && <p className="mt-5">{retryAtCheckout}</p>}
        </div>
      )}
      {order === undefined && error === undefined && (
        <div role="status" className="border-y border-line py-12 text-lg text-ink-soft">
          <p>Loading order status...</p>
          {connection === "off" && (
            <p className="mt-2 text-base">
              This link is incomplete. Please open the full link to your order.
            </p>
          )}
        </div>
      )}
      {order !== undefined && (
        <>
          <StatusAlert status={order.status} attemptOver={retryPayment !== undefined} />
          {retryPayment}
          <OrderDetails order={order} pictures={pictures} />
        </>
      )}
    </div>
  );
}
