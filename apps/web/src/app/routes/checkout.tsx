import { classes } from "@keepsats/ui/classes.ts";
import { Link } from "@keepsats/ui/link.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { type ComponentType, useState } from "react";
import { useNavigate } from "react-router";
import { replaceBasket, useBasket } from "../../features/basket/basket-store.ts";
import { shortageOf } from "../../features/basket/shortage.ts";
import { usePictures, useStock } from "../../features/catalogue/items-query.ts";
import { CancelledOrder, useCancelledOrder } from "../../features/checkout/cancelled-order.tsx";
import type { ChangedOrder } from "../../features/checkout/changed-order.ts";
import { CheckoutForm } from "../../features/checkout/checkout-form.tsx";
import { CompletePurchase } from "../../features/checkout/complete-purchase.tsx";
import { CorrectAddress } from "../../features/checkout/correct-address.tsx";
import { EmptyCheckout } from "../../features/checkout/empty-checkout.tsx";
import { useStockWithHeld } from "../../features/checkout/held-stock.ts";
import { OrderSummary } from "../../features/checkout/order-summary.tsx";
import { PaymentPanel, paymentHeadingId } from "../../features/checkout/payment-panel.tsx";
import {
  currentStepOf,
  hasFailed,
  paymentButtonOf,
  paymentNews,
  unreachableHint,
} from "../../features/checkout/purchase.ts";
import { PurchaseSteps } from "../../features/checkout/purchase-steps.tsx";
import { StoredDetails } from "../../features/checkout/stored-details.tsx";
import { useNoteFailure, usePurchase } from "../../features/checkout/use-purchase.ts";
import type { OrderFollowerProps } from "../../features/order-status/order-follower.tsx";
import { orderLink } from "../../lib/order-link.ts";
import { usePageConfig } from "../page-config.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { PaymentButton } from "../payment-button.tsx";
import { useCompletePurchase } from "../use-complete-purchase.ts";
import { useFollowOrder } from "./use-follow-order.tsx";

/** @public Loaded by `app/lazy-components.ts`, from the chunk of this route. */
export { CorrectAddress };

interface CheckoutRouteProps {
  /** The lazy component that follows the placed order. */
  readonly OrderFollower: ComponentType<OrderFollowerProps>;
}

/** `/checkout`: the form, the order's summary and the payment. */
export default function CheckoutRoute({ OrderFollower }: CheckoutRouteProps) {
  usePageTitle("Checkout");
  const heading = useHeadingFocus();
  const config = usePageConfig();
  const pictures = usePictures();
  const stock = useStockWithHeld(useStock());
  const navigate = useNavigate();
  const basket = useBasket();
  const completePurchase = useCompletePurchase();
  const { purchase, placed, onPlaced, keepShowing } = usePurchase(basket);
  const { step, lines, price } = purchase;
  const cancelledOrder = useCancelledOrder();
  const cancelled = placed === undefined ? cancelledOrder : undefined;
  const { state, follower } = useFollowOrder(placed ?? cancelled, OrderFollower);
  const news = paymentNews(step, state);
  const [question, setQuestion] = useState<ChangedOrder>();
  const payment = paymentButtonOf(step, news);
  const isRetry = hasFailed(news);
  useNoteFailure(placed, state?.order && isRetry);

  function showOrder(): void {
    if (placed === undefined) return;
    keepShowing();
    completePurchase(placed.id);
    navigate(orderLink({ ...placed, orderId: placed.id }), { replace: true });
  }

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mb-6 text-2xl">
        Checkout
      </h1>
      {follower}
      {cancelled !== undefined && (
        <CancelledOrder key={cancelled.id} order={cancelled} followed={state?.order} />
      )}
      {cancelled === undefined && lines.length === 0 && <EmptyCheckout />}
      {cancelled === undefined && lines.length > 0 && (
        <>
          <PurchaseSteps step={currentStepOf(step, news)} />
          <div className="grid gap-x-16 gap-y-12 lg:grid-cols-5 lg:grid-rows-[auto_1fr]">
            <div className="min-w-0 lg:col-span-2 lg:col-start-4 lg:row-start-1">
              <OrderSummary
                lines={lines}
                pictures={pictures}
                price={price}
                shortageOf={(line) => (placed === undefined ? shortageOf(line, stock) : undefined)}
                totalNow={question?.buyable.length ? question.total : undefined}
                edit={placed === undefined && <EditCart />}
              />
            </div>
            <div className="min-w-0 lg:col-span-3 lg:col-start-1 lg:row-span-2 lg:row-start-1">
              {placed !== undefined && purchase.details === "stored" ? (
                <StoredDetails orderId={placed.id} hasNewItems={purchase.hasNewItems} />
              ) : (
                <CheckoutForm
                  basket={basket}
                  locked={purchase.details === "fixed"}
                  onPlaced={onPlaced}
                  onQuestion={setQuestion}
                  onBasketChanged={replaceBasket}
                  onChangeCart={() => navigate("/#cart")}
                  onCancel={() => navigate("/")}
                />
              )}
            </div>
            <div className="min-w-0 space-y-6 lg:col-span-2 lg:col-start-4 lg:row-start-2">
              <PaymentPanel
                step={step}
                order={placed}
                news={news}
                total={price.total}
                totalBefore={purchase.totalBefore}
                hosts={{
                  popup: new URL(config.popupOrigin).host,
                  page: new URL(config.origin).host,
                }}
                finance={
                  <PaymentButton
                    order={placed && { id: placed.id, total: price.total }}
                    paid={payment.paid}
                    label={payment.label}
                    headingId={paymentHeadingId}
                    hintFor={(failing) => payment.hint ?? (failing ? unreachableHint : undefined)}
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

/** A link to the cart on the shop page; in narrow windows the cart is below all products. */
function EditCart() {
  return (
    <Link to="/#cart" className={classes(textLink, "-my-2.5 inline-flex min-h-11 items-center")}>
      Edit cart
    </Link>
  );
}
