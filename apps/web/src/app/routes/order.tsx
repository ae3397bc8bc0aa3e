import { shortOrderId } from "@keepsats/domain";
import { RefreshCw } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { createPath, Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { usePictures } from "../../features/catalogue/items-query.ts";
import { useCheckoutSession } from "../../features/checkout/checkout-session.ts";
import { RetryAtCheckout } from "../../features/checkout/retry-at-checkout.tsx";
import { ConnectionLabel } from "../../features/order-status/connection-label.tsx";
import { CopyLink } from "../../features/order-status/copy-link.tsx";
import { OrderScreen } from "../../features/order-status/order-screen.tsx";
import { useOrderStream } from "../../features/order-status/use-order-stream.ts";
import { usePayments } from "../../features/payment-widget/payments.ts";
import { keyInFragment, orderLink } from "../../lib/order-link.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { textLink } from "../../ui/text-link.ts";
import { usePageConfig } from "../page-config.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { PaymentButton } from "../payment-button.tsx";

/** `/order?orderId=…&contractId=…#key=…`: the live status of an order. */
export default function OrderRoute() {
  const [query] = useSearchParams();
  const ids = {
    orderId: query.get("orderId"),
    contractId: query.get("contractId"),
    orderKey: keyInFragment(useLocation().hash),
  };
  return <OrderPage key={JSON.stringify(ids)} {...ids} />;
}

interface OrderPageProps {
  readonly orderId: string | null;
  readonly contractId: string | null;
  /** The order's key, where it is known. */
  readonly orderKey: string | undefined;
}

function OrderPage({ orderId, contractId, orderKey: key }: OrderPageProps) {
  const config = usePageConfig();
  const pictures = usePictures();
  const navigate = useNavigate();
  const address = config.origin + createPath(useLocation());
  usePageTitle(orderId ? `Order #${shortOrderId(orderId)}` : "Order Status");
  const heading = useHeadingFocus();
  const state = useOrderStream({ orderId, contractId, key, host: config.origin });
  const { order, error } = state;
  useForgetShownOrder(orderId, order !== undefined);
  const isFound = order !== undefined || (error !== undefined && error !== "OrderNotFound");
  const attemptOver = order?.status === "Pending" && order.payment_attempt_over === true;
  const payable = attemptOver && orderId ? { id: orderId, total: order.total_price } : undefined;

  const payments = usePayments();
  const onPaid = useEffectEvent((paidId: string, newContractId: string) => {
    if (paidId === orderId) navigate(orderLink({ orderId: paidId, contractId: newContractId, key }));
  });
  useEffect(() => payments.onPaid((paidId, contract) => onPaid(paidId, contract)), [payments]);

  return (
    <>
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <div className="mb-1 flex min-h-6 items-center gap-4">
            {orderId && <p className="text-ink-soft">Order Status</p>}
            <ConnectionLabel connection={state.connection} />
          </div>
          <h1 ref={heading} tabIndex={-1} className="money text-xl whitespace-normal wrap-anywhere">
            {orderId ? `Order #${shortOrderId(orderId)}` : "Order Status"}
          </h1>
          {orderId && contractId && (
            <p className={classes("mt-1 text-sm text-ink-soft", !isFound && "invisible")}>
              Keep this page's link: it is the only way back to your order.
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          {isFound && <CopyLink address={address} />}
          <Button onClick={() => navigate(0)}>
            <RefreshCw aria-hidden size={18} />
            Refresh
          </Button>
        </div>
      </div>
      <OrderScreen
        state={state}
        pictures={pictures}
        retryAtCheckout={
          orderId &&
          contractId &&
          error === "ContractNotFound" && <RetryAtCheckout orderId={orderId} contractId={contractId} />
        }
        retryPayment={
          attemptOver ? (
            <section aria-labelledby="retry" className="max-w-md">
              <h2 id="retry" tabIndex={-1} className="mb-2 text-lg">
                This payment did not go through
              </h2>
              <p className="mb-4 text-ink-soft">No loan was paid out. You can try again.</p>
              <PaymentButton order={payable} paid={false} label="Try payment again" headingId="retry" />
            </section>
          ) : undefined
        }
      />
      <div className="mt-12 flex flex-wrap items-center gap-x-8 gap-y-4">
        <Link to="/" className={buttonClasses("plain")}>
          Continue Shopping
        </Link>
        {config.contact !== undefined && <Contact contact={config.contact} />}
      </div>
    </>
  );
}

/** The order is kept in this tab until its page has shown it, so that a payment that fails can be tried again. */
function useForgetShownOrder(orderId: string | null, isShown: boolean): void {
  const { orders } = useCheckoutSession();
  useEffect(() => {
    if (isShown && orderId !== null) orders.remove(orderId);
  }, [orders, orderId, isShown]);
}

/** The shop's contact: an e-mail address or a web page. */
function Contact({ contact }: { contact: string }) {
  const isPage = /^https?:/.test(contact);
  return (
    <p className="text-ink-soft">
      Questions about this order?{" "}
      <a href={isPage ? contact : `mailto:${contact}`} className={classes(textLink, "wrap-anywhere")}>
        {isPage ? "Ask the shop" : contact}
      </a>
    </p>
  );
}
