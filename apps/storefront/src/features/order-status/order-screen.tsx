import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import type { ConnectionState, SubscriptionState } from "../../lib/use-order-stream.ts";
import { OrderDetails, Shipment } from "./order-details.tsx";
import { hasAttemptFailed } from "./payment-offer.ts";
import { Returns } from "./returns.tsx";
import { StatusAlert } from "./status-alert.tsx";
import { streamErrorHint, streamErrorText } from "./status-labels.ts";

interface OrderScreenProps {
  readonly state: SubscriptionState;
  /** The page has a loan id, so there may be a loan. */
  readonly hasLoanId: boolean;
  /** By item id. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The section with the payment button; `undefined` if the order cannot be paid here. */
  readonly payment: ReactNode | undefined;
  /** The button that corrects the shipping address; `undefined` without the order's key. */
  readonly correctAddress: ReactNode | undefined;
  /** The price was refunded as a whole. */
  readonly isPriceRefunded: boolean;
  /** The button that withdraws a requested return. */
  readonly withdrawReturn: (returnId: string) => ReactNode;
}

/** The content of the order page below its heading. */
export function OrderScreen({
  state,
  hasLoanId,
  pictures,
  payment,
  correctAddress,
  isPriceRefunded,
  withdrawReturn,
}: OrderScreenProps) {
  const { connection, order, error } = state;
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
        <div
          role="status"
          className={classes(
            "border-y border-line py-12 text-lg text-ink-soft",
            connection !== "off" && "min-h-(--order-loading-height)",
          )}
        >
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
          <StatusAlert
            status={order.status}
            error={error}
            attemptFailed={hasAttemptFailed(order)}
            hasLoanId={hasLoanId}
            refunded={order.refunded}
            payment={payment}
          />
          {order.merchant_message && <MerchantMessage text={order.merchant_message} />}
          <Shipment order={order} />
          <Returns
            items={order.items}
            returns={order.returns}
            isPriceRefunded={isPriceRefunded}
            withdraw={withdrawReturn}
          />
          <OrderDetails order={order} pictures={pictures} correctAddress={correctAddress} />
        </>
      )}
    </div>
  );
}

function MerchantMessage({ text }: { text: string }) {
  return (
    <section aria-labelledby="message" className="border-l-4 border-line-strong pl-5">
      <h2 id="message" className="mb-1 text-lg">
        A message from the shop
      </h2>
      <p className="max-w-prose whitespace-pre-line wrap-anywhere">{text}</p>
    </section>
  );
}

export function ConnectionLabel({ connection }: { connection: ConnectionState }) {
  return (
    <p role="status" className="text-sm">
      {connection === "down" && (
        <span className="inline-flex items-center rounded-full bg-badge px-2.5 py-0.5 font-medium text-on-badge">
          Disconnected
        </span>
      )}
      {connection === "live" && (
        <span className="inline-flex items-center gap-2 text-ink-soft">
          <span className="size-2 rounded-full bg-ink-soft" />
          Live
        </span>
      )}
      {connection === "connecting" && <span className="text-ink-soft">Connecting…</span>}
    </p>
  );
}
