import { formatMoney, shortOrderId } from "@keepsats/domain";
import type { FollowedOrder } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { orderLink } from "../../lib/order-link.ts";
import type { OwnOrder } from "../../lib/own-orders.ts";
import { Link } from "../../lib/router.tsx";
import { useCheckoutSession } from "./checkout-session.ts";
import { isCancelled } from "./placed-orders.ts";

/**
 * The last order of this tab that was cancelled before its purchase was complete, until the shopper
 * has been told.
 */
export function useCancelledOrder(): OwnOrder | undefined {
  return useStore(
    useCheckoutSession().orders.store,
    (orders) => orders.findLast(isCancelled)?.order,
  );
}

interface CancelledOrderProps {
  readonly order: OwnOrder;
  /** What the order stream says, once it has come. */
  readonly followed: FollowedOrder | undefined;
}

/**
 * Tells that the order is cancelled, in place of the form, so that nothing is placed again before
 * it is read.
 */
export function CancelledOrder({ order, followed }: CancelledOrderProps) {
  const { orders } = useCheckoutSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section aria-labelledby="cancelled" className="max-w-prose border-y border-line py-8">
      <h2 id="cancelled" ref={heading} tabIndex={-1} className="mb-2 text-xl">
        Your order has been cancelled.
      </h2>
      <p>
        Order <span className="money font-bold">#{shortOrderId(order.id)}</span> is not shipped, and
        it can no longer be paid. {moneyAfterCancelling(order, followed)}
      </p>
      {followed?.merchant_message && (
        <div className="mt-4 border-l-4 border-line-strong pl-5">
          <p className="font-medium">A message from the shop</p>
          <p className="whitespace-pre-line wrap-anywhere">{followed.merchant_message}</p>
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button onClick={() => orders.complete(order.id)}>Start a new order</Button>
        <Link to={orderLink({ ...order, orderId: order.id })} className={textLink}>
          See the cancelled order
        </Link>
      </div>
    </section>
  );
}

/**
 * What becomes of the money of a cancelled order. A pop-up may still be open, and its loan may
 * still be paid out.
 *
 * @param order the order as this browser knows it; with a contract if the widget has reported
 *   success
 * @param followed what the order stream says, once it has come
 */
export function moneyAfterCancelling(
  { contractId }: Pick<OwnOrder, "contractId">,
  followed: Pick<FollowedOrder, "refunded"> | undefined,
): string {
  if (followed?.refunded) return `The shop has refunded ${formatMoney(followed.refunded)}.`;
  return contractId === undefined
    ? "Do not pay for it any more. If a loan is paid out for it all the same, the shop gives that money back."
    : "If your loan was paid out, the shop gives that money back and writes to you.";
}
