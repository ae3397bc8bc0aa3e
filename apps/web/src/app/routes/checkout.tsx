import { classes } from "@keepsats/ui/classes.ts";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useState } from "react";
import { replaceBasket, useBasket } from "../../features/basket/basket-store.ts";
import { shortageOf } from "../../features/basket/shortage.ts";
import { usePictures, useStock } from "../../features/catalogue/items-query.ts";
import { CancelledOrder, useCancelledOrder } from "../../features/checkout/cancelled-order.tsx";
import type { ChangedOrder } from "../../features/checkout/changed-order.ts";
import {
  CheckoutForm,
  EmptyCheckout,
  StoredDetails,
} from "../../features/checkout/checkout-form.tsx";
import { CorrectAddress } from "../../features/checkout/correct-address.tsx";
import { useStockWithHeld } from "../../features/checkout/held-stock.ts";
import { OrderSummary } from "../../features/checkout/order-summary.tsx";
import { CompletePurchase, PaymentPanel } from "../../features/checkout/payment-panel.tsx";
import {
  currentStepOf,
  hasFailed,
  paymentButtonOf,
  paymentNews,
  unreachableHint,
} from "../../features/checkout/purchase.ts";
import { PurchaseSteps } from "../../features/checkout/purchase-steps.tsx";
import { useNoteFailure, usePurchase } from "../../features/checkout/use-purchase.ts";
import { FinanceButton } from "../../features/payment-widget/finance-button.tsx";
import { type OrderLink, orderLink } from "../../lib/order-link.ts";
import type { OwnOrder } from "../../lib/own-orders.ts";
import { Link, useNavigate } from "../../lib/router.tsx";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { usePageConfig } from "../page-config.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { useCompletePurchase } from "../purchases.ts";

/** @public Loaded by `app/screens.ts`, from the chunk of this route. */
export { CorrectAddress };

/** `/checkout`: the form, the order's summary and the payment. */
export default function CheckoutRoute() {
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
  const state = useOrderStream(linkTo(placed ?? cancelled), config.origin);
  const news = paymentNews(step, state);
  const [question, setQuestion] = useState<ChangedOrder>();
  const payment = paymentButtonOf(step, news);
  const isRetry = hasFailed(news);
  useNoteFailure(placed, state.order && isRetry);

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
      {cancelled !== undefined && (
        <CancelledOrder key={cancelled.id} order={cancelled} followed={state.order} />
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
                hosts={{
                  popup: new URL(config.popupOrigin).host,
                  page: new URL(config.origin).host,
                }}
                finance={
                  <FinanceButton
                    order={placed && { id: placed.id, total: price.total }}
                    settings={config}
                    paid={payment.paid}
                    label={payment.label}
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

/** The link of an order that can be followed. */
function linkTo(order: OwnOrder | undefined): OrderLink | undefined {
  if (order === undefined || (order.key ?? order.contractId) === undefined) return undefined;
  return { ...order, orderId: order.id };
}

/** A link to the cart on the shop page; in narrow windows the cart is below all products. */
function EditCart() {
  return (
    <Link to="/#cart" className={classes(textLink, "-my-2.5 inline-flex min-h-11 items-center")}>
      Edit cart
    </Link>
  );
}
