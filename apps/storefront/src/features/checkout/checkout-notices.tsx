import { shortOrderId } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import { Button, buttonClasses } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useEffect, useRef } from "react";
import { orderLink } from "../../lib/order-link.ts";
import { Link } from "../../lib/router.tsx";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { endPurchase, useCheckoutSession, usePlacedPurchase } from "./checkout-session.ts";
import { refundNotice } from "./purchase.ts";

export function EmptyCheckout() {
  return (
    <div className="border-y border-line py-12">
      <p className="mb-6 text-lg text-ink-soft">
        Your cart is empty. Add some items before checking out.
      </p>
      <Link to="/" className={buttonClasses("forward")}>
        Return to Shop
      </Link>
    </div>
  );
}

/**
 * Replaces the form if it does not have the details of the placed order, such as after a reload,
 * or if the cart has new items.
 *
 * @param hasNewItems the cart has items that were added after the order was placed
 */
export function StoredDetails({ orderId, hasNewItems }: { orderId: string; hasNewItems: boolean }) {
  return (
    <div className="border-y border-line py-8">
      <p className="text-lg">
        Order <span className="money font-medium">#{shortOrderId(orderId)}</span> is placed.
      </p>
      <p className="mt-1 text-ink-soft">Your details are saved with it.</p>
      {hasNewItems && (
        <p className="mt-4 text-ink-soft">Items that you added later are still in your cart.</p>
      )}
    </div>
  );
}

/**
 * The order of this tab, if it was cancelled before its purchase was complete, until the customer
 * has read the notice.
 */
export function useCancelledOrder(): SavedOrder | undefined {
  const order = usePlacedPurchase()?.order;
  return order?.status === "Cancelled" ? order : undefined;
}

interface CancelledOrderProps {
  readonly order: SavedOrder;
  /** The order from the order stream, once it has arrived. */
  readonly subscribed: SubscribedOrder | undefined;
}

/** Replaces the form, so that no new order is placed before the customer has read the notice. */
export function CancelledOrder({ order, subscribed }: CancelledOrderProps) {
  const session = useCheckoutSession();
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
        it can no longer be paid. {refundNotice(order, subscribed)}
      </p>
      {subscribed?.merchant_message && (
        <div className="mt-4 border-l-4 border-line-strong pl-5">
          <p className="font-medium">A message from the shop</p>
          <p className="whitespace-pre-line wrap-anywhere">{subscribed.merchant_message}</p>
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button onClick={() => endPurchase(session, order.id)}>Start a new order</Button>
        <Link to={orderLink({ ...order, orderId: order.id })} className={textLink}>
          See the cancelled order
        </Link>
      </div>
    </section>
  );
}
