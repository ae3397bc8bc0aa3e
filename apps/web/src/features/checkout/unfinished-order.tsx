import { shortOrderId } from "@keepsats/domain";
import { Link } from "react-router";
import { useStore } from "zustand";
import { orderLink } from "../../lib/order-link.ts";
import { textLink } from "../../ui/text-link.ts";
import { useCheckoutSession } from "./checkout-session.ts";
import { unfinishedOrder } from "./placed-orders.ts";

/** A reminder of a placed order that is not paid, or that the order page has not shown yet. */
export function UnfinishedOrder() {
  const placed = useStore(useCheckoutSession().orders.store, unfinishedOrder);
  if (placed === undefined) return null;
  const { contractId, completed } = placed;
  const { id: orderId, key } = placed.order;
  const order = <span className="money font-medium text-ink">#{shortOrderId(orderId)}</span>;
  return (
    <p className="mt-6 border-t border-line pt-4 text-ink-soft">
      {contractId === undefined ? (
        <>Order {order} is not paid yet. </>
      ) : (
        <>Order {order}: the payment window reported success. </>
      )}
      {contractId !== undefined && completed === true ? (
        <Link to={orderLink({ orderId, contractId, key })} className={textLink}>
          Follow your order
        </Link>
      ) : (
        <Link to="/checkout" className={textLink}>
          Continue checkout
        </Link>
      )}
    </p>
  );
}
