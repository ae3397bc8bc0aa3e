import { Link, useNavigate } from "react-router";
import { removeBoughtFromBasket, useBasket } from "../../features/basket/basket-store.ts";
import { usePictures } from "../../features/catalogue/items-query.ts";
import { CheckoutForm } from "../../features/checkout/checkout-form.tsx";
import { CompletePurchase } from "../../features/checkout/complete-purchase.tsx";
import { EmptyCheckout } from "../../features/checkout/empty-checkout.tsx";
import { OrderSummary } from "../../features/checkout/order-summary.tsx";
import { PaymentPanel, paymentHeadingId } from "../../features/checkout/payment-panel.tsx";
import { paymentHint } from "../../features/checkout/purchase.ts";
import { PurchaseSteps } from "../../features/checkout/purchase-steps.tsx";
import { StoredDetails } from "../../features/checkout/stored-details.tsx";
import { usePurchase } from "../../features/checkout/use-purchase.ts";
import { lastPopup } from "../../features/payment-widget/payments.ts";
import { orderLink } from "../../lib/order-link.ts";
import { classes } from "../../ui/classes.ts";
import { textLink } from "../../ui/text-link.ts";
import { usePageConfig } from "../page-config.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { PaymentButton } from "../payment-button.tsx";

/** `/checkout`: the form, the order's summary and the payment. */
export default function CheckoutRoute() {
  usePageTitle("Checkout");
  const heading = useHeadingFocus();
  const config = usePageConfig();
  const pictures = usePictures();
  const navigate = useNavigate();
  const basket = useBasket();
  const { purchase, placed, onPlaced, complete } = usePurchase(basket);
  const { step, lines, price } = purchase;

  function completePurchase(): void {
    const completion = complete();
    if (completion === undefined) return;
    removeBoughtFromBasket(completion.bought);
    lastPopup.clear();
    navigate(orderLink(completion), { replace: true });
  }

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mb-6 text-2xl">
        Checkout
      </h1>
      {lines.length === 0 ? (
        <EmptyCheckout />
      ) : (
        <>
          <PurchaseSteps step={step} />
          <div className="grid gap-x-16 gap-y-12 lg:grid-cols-5 lg:grid-rows-[auto_1fr]">
            <div className="min-w-0 lg:col-span-2 lg:col-start-4 lg:row-start-1">
              <OrderSummary
                lines={lines}
                pictures={pictures}
                price={price}
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
                  onCancel={() => navigate("/")}
                />
              )}
            </div>
            <div className="min-w-0 space-y-6 lg:col-span-2 lg:col-start-4 lg:row-start-2">
              <PaymentPanel
                step={step}
                orderId={placed?.id}
                total={price.total}
                totalBefore={purchase.totalBefore}
                hosts={{
                  popup: new URL(config.popupOrigin).host,
                  page: new URL(config.origin).host,
                }}
                finance={
                  <PaymentButton
                    order={placed && { id: placed.id, total: price.total }}
                    paid={step === "done"}
                    label="Finance with Bitcoin"
                    headingId={paymentHeadingId}
                    hintFor={(failing) => paymentHint(step, failing)}
                  />
                }
              />
              <CompletePurchase step={step} onComplete={completePurchase} />
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
