import { classes, textLink } from "@keepsats/ui/classes.ts";
import { replaceCart, useCart } from "../../features/cart/cart-store.ts";
import { shortageOf } from "../../features/cart/shortage.ts";
import { usePictures, useStock } from "../../features/catalogue/queries.ts";
import { CheckoutForm } from "../../features/checkout/checkout-form.tsx";
import {
  CancelledOrder,
  EmptyCheckout,
  StoredDetails,
  useCancelledOrder,
} from "../../features/checkout/checkout-notices.tsx";
import { useStockWithHeld } from "../../features/checkout/checkout-session.ts";
import { CorrectAddress } from "../../features/checkout/correct-address.tsx";
import { OrderSummary } from "../../features/checkout/order-summary.tsx";
import { CompletePurchase, PaymentPanel } from "../../features/checkout/payment-panel.tsx";
import {
  currentStepOf,
  hasFailed,
  paymentButtonOf,
  paymentNews,
  unreachableHint,
} from "../../features/checkout/purchase.ts";
import { PurchaseSteps } from "../../features/checkout/purchase-progress.tsx";
import { usePurchase, useRecordFailure } from "../../features/checkout/use-purchase.ts";
import { FinanceButton } from "../../features/payment-widget/finance-button.tsx";
import { type OrderLink, orderLink } from "../../lib/order-link.ts";
import { Link, useNavigate } from "../../lib/router.tsx";
import type { SavedOrder } from "../../lib/saved-orders.ts";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { usePageSettings } from "../page-settings.ts";
import { useCompletePurchase } from "../purchases.ts";
import { ShopTextLink } from "../shop-text-link.tsx";

/** @public Loaded by `app/screens.ts` from the chunk of this route. */
export { CorrectAddress };

/** `/checkout`: the form, the summary of the order and the payment. */
export default function CheckoutRoute() {
  usePageTitle("Checkout");
  const heading = useHeadingFocus();
  const settings = usePageSettings();
  const pictures = usePictures();
  const stock = useStockWithHeld(useStock());
  const navigate = useNavigate();
  const cart = useCart();
  const completePurchase = useCompletePurchase();
  const { purchase, placed, onPlaced, keepShowing } = usePurchase(cart);
  const { step, lines, price } = purchase;
  const cancelledOrder = useCancelledOrder();
  const cancelled = placed === undefined ? cancelledOrder : undefined;
  const state = useOrderStream(linkTo(placed ?? cancelled), settings.origin);
  const news = paymentNews(step, state);
  const payment = paymentButtonOf(step, news);
  const isRetry = hasFailed(news);
  useRecordFailure(placed, state.order && isRetry);

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
        <CancelledOrder key={cancelled.id} order={cancelled} subscribed={state.order} />
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
                edit={placed === undefined && <EditCart />}
              />
            </div>
            <div className="min-w-0 lg:col-span-3 lg:col-start-1 lg:row-span-2 lg:row-start-1">
              {placed !== undefined && purchase.details === "stored" ? (
                <StoredDetails orderId={placed.id} hasNewItems={purchase.hasNewItems} />
              ) : (
                <CheckoutForm
                  cart={cart}
                  isLocked={purchase.details === "fixed"}
                  onPlaced={onPlaced}
                  onCartChanged={replaceCart}
                  onChangeCart={() => navigate("/#cart")}
                  termsNotice={<TermsNotice />}
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
                  popup: new URL(settings.popupOrigin).host,
                  page: new URL(settings.origin).host,
                }}
                finance={
                  <FinanceButton
                    order={placed && { id: placed.id, total: price.total }}
                    settings={settings}
                    isDisabled={payment.isDisabled}
                    label={payment.label}
                    hintFor={(isFailing) =>
                      payment.hint ?? (isFailing ? unreachableHint : undefined)
                    }
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

/** Shown if the shop has terms. The link opens beside the checkout: leaving it empties the cart. */
function TermsNotice() {
  const terms = usePageSettings().texts.find(({ name }) => name === "terms");
  if (terms === undefined) return null;
  return (
    // Not a paragraph, because the link can open a dialog.
    <div className="mb-4">
      By ordering you accept the <ShopTextLink text={terms} className={textLink} />.
    </div>
  );
}

/** Links to the cart, which is below all products in narrow windows. */
function EditCart() {
  return (
    <Link to="/#cart" className={classes(textLink, "-my-2.5 inline-flex min-h-11 items-center")}>
      Edit cart
    </Link>
  );
}
