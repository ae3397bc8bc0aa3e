import { shortOrderId } from "@keepsats/domain";
import { textLink } from "@keepsats/ui/classes.ts";
import { Link } from "../../lib/router.tsx";
import { useShownPurchase } from "./checkout-session.ts";
import { isReportedPaid } from "./open-purchase.ts";

/** Reminds of a placed order whose purchase is not complete. */
export function UnfinishedOrder() {
  const placed = useShownPurchase();
  if (placed === undefined) return null;
  const order = (
    <span className="money font-medium text-ink">#{shortOrderId(placed.order.id)}</span>
  );
  return (
    <p className="mt-6 border-t border-line pt-4 text-ink-soft">
      {isReportedPaid(placed) ? (
        <>Order {order}: the payment window reported success. </>
      ) : (
        <>Order {order} is not paid yet. </>
      )}
      <Link to="/checkout" className={textLink}>
        Continue checkout
      </Link>
    </p>
  );
}
