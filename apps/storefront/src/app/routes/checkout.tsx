import { CheckoutForm } from "../../features/checkout/checkout-form.tsx";
import {
  CancelledOrder,
  EmptyCheckout,
  StoredDetails,
  useCancelledOrder,
} from "../../features/checkout/checkout-notices.tsx";
import { completePurchase, useCheckoutSession } from "../../features/checkout/checkout-session.ts";
import { OrderSummary } from "../../features/checkout/order-summary.tsx";
import { CompletePurchase, PaymentPanel } from "../../features/checkout/payment-panel.tsx";
import {
  currentStepOf,
  hasFailed,
  paymentButtonOf,
  paymentNews,
} from "../../features/checkout/purchase.ts";
import { PurchaseSteps } from "../../features/checkout/purchase-progress.tsx";
import { usePurchase, useRecordFailure } from "../../features/checkout/use-purchase.ts";
import { FinanceButton } from "../../features/payment-widget/finance-button.tsx";
import { type OrderLink, orderLink } from "../../lib/order-link.ts";
import { useNavigate } from "../../lib/router.tsx";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";

/** `/checkout`: the form, the summary of the order and the payment. */
export default function CheckoutRoute() {
  usePageTitle("Checkout");
  const heading = useHeadingFocus();
  const navigate = useNavigate();
  const session = useCheckoutSession();
  const { purchase, isInForm, placed, onPlaced, keepShowing } = usePurchase();
  const { step, lines, price, hasNewItems } = purchase;
  const cancelledOrder = useCancelledOrder();
  const cancelled = placed === undefined ? cancelledOrder : undefined;
  const state = useOrderStream(linkTo(placed ?? cancelled));
  const news = paymentNews(step, state);
  const isRetry = hasFailed(news);
  useRecordFailure(state.order && isRetry);

  function showOrder(): void {
    if (placed === undefined) return;
    keepShowing();
    completePurchase(session, placed.id);
    navigate(orderLink({ ...placed, orderId: placed.id }), { replace: true });
  }

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mb-6 text-2xl">
        Checkout
      </h1>
      {cancelled !== undefined && (
        <CancelledOrder key={cancelled.id} order={cancelled} subscribed={state.order} />
      )}
      {cancelled === undefined && lines.length === 0 && <EmptyCheckout />}
      {cancelled === undefined && lines.length > 0 && (
        <>
          <PurchaseSteps step={currentStepOf(step, news)} />
          <div className="grid gap-x-16 gap-y-12 lg:grid-cols-5 lg:grid-rows-[auto_1fr]">
            <div className="min-w-0 lg:col-span-2 lg:col-start-4 lg:row-start-1">
              <OrderSummary lines={lines} price={price} isPlaced={placed !== undefined} />
            </div>
            <div className="min-w-0 lg:col-span-3 lg:col-start-1 lg:row-span-2 lg:row-start-1">
              {placed !== undefined && (!isInForm || hasNewItems) ? (
                <StoredDetails orderId={placed.id} hasNewItems={hasNewItems} />
              ) : (
                <CheckoutForm isLocked={placed !== undefined} onPlaced={onPlaced} />
              )}
            </div>
            <div className="min-w-0 space-y-6 lg:col-span-2 lg:col-start-4 lg:row-start-2">
              <PaymentPanel
                step={step}
                order={placed}
                news={news}
                total={price.total}
                finance={
                  <FinanceButton
                    order={placed && { id: placed.id, total: price.total }}
                    {...paymentButtonOf(step, news)}
                  />
                }
              />
              <CompletePurchase step={step} hasFailed={isRetry} onComplete={showOrder} />
            </div>
          </div>
        </>
      )}
    </>
  );
}

/** The link of an order, if the order stream accepts it. */
function linkTo(order: SavedOrder | undefined): OrderLink | undefined {
  if (order === undefined || (order.key ?? order.loanId) === undefined) return undefined;
  return { ...order, orderId: order.id };
}
