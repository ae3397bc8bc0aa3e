import { priceOf, priceOfPlaced, shortOrderId } from "@keepsats/domain";
import type { PlacedOrder } from "@keepsats/protocol";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { takeFromBasket, useBasket } from "../../features/basket/basket-store.ts";
import { CheckoutForm } from "../../features/checkout/checkout-form.tsx";
import { clearDraft } from "../../features/checkout/draft.ts";
import { EmptyCheckout } from "../../features/checkout/empty-checkout.tsx";
import { OrderSummary } from "../../features/checkout/order-summary.tsx";
import { PaymentPanel } from "../../features/checkout/payment-panel.tsx";
import {
  forgetPlacedOrder,
  keepContract,
  keepPlacedOrder,
  type PlacedOrderState,
  usePlacedOrder,
} from "../../features/checkout/placed-order-store.ts";
import { FinanceButton } from "../../features/payment-widget/finance-button.tsx";
import { forgetOpened, usePaymentWidget } from "../../features/payment-widget/use-payment-widget.ts";
import { popupOrigin } from "../../features/payment-widget/widget-url.ts";
import { orderLink } from "../../lib/order-link.ts";
import { Button } from "../../ui/button.tsx";
import { usePageConfig } from "../page-config.ts";
import { usePage } from "../page-title.ts";

/** `/checkout`: from the cart to a placed order, and from there to its payment. */
export default function CheckoutRoute() {
  const heading = usePage("Checkout");
  const config = usePageConfig();
  const navigate = useNavigate();
  const basket = useBasket();
  const current = usePlacedOrder();
  const [left, setLeft] = useState<typeof current>();
  const placed = left ?? current;

  const widget = usePaymentWidget({
    ...config,
    order: placed === undefined ? undefined : { id: placed.order.id, total: placed.order.total_price },
    onSuccess: (orderId, contractId) => {
      keepContract(orderId, contractId);
      if (window.location.pathname === "/checkout") return;
      toast.success("Your loan is under way", { description: "Complete the purchase in your cart." });
    },
  });

  const paid = placed?.contractId !== undefined;
  const complete = useRef<HTMLButtonElement>(null);
  const wasPaid = useRef(paid);
  useEffect(() => {
    if (paid && !wasPaid.current) complete.current?.focus();
    wasPaid.current = paid;
  }, [paid]);

  function onPlaced(order: PlacedOrder): void {
    const expected = priceOf(basket).total;
    keepPlacedOrder(order, order.total_price === expected ? undefined : expected);
    toast.success("Order Placed!", { description: "Your order has been successfully placed." });
    const payment = document.getElementById("payment");
    payment?.focus({ preventScroll: true });
    payment?.scrollIntoView({ block: "start" });
  }

  function completePurchase(): void {
    if (placed?.contractId === undefined) return;
    const { id: orderId, key } = placed.order;
    setLeft(placed);
    if (placed.inBasket === true) takeFromBasket(placed.order.items);
    forgetOpened();
    if (isOfDraft(placed)) clearDraft();
    forgetPlacedOrder(orderId);
    navigate(orderLink({ orderId, contractId: placed.contractId, key }), { replace: true });
  }

  const lines = placed?.order.items ?? basket;
  const price = placed === undefined ? priceOf(basket) : priceOfPlaced(lines, placed.order.total_price);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mb-10 text-2xl">
        Checkout
      </h1>
      {lines.length === 0 ? (
        <EmptyCheckout />
      ) : (
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-5 lg:grid-rows-[auto_1fr]">
          <div className="min-w-0 lg:col-span-2 lg:col-start-4 lg:row-start-1">
            <OrderSummary lines={lines} price={price} totalBefore={placed?.totalBefore} />
          </div>
          <div className="min-w-0 lg:col-span-3 lg:col-start-1 lg:row-span-2 lg:row-start-1">
            {placed !== undefined && !isOfDraft(placed) ? (
              <PlacedBefore
                orderId={placed.order.id}
                waiting={basket.length > 0 && placed.superseded === true}
              />
            ) : (
              <CheckoutForm
                basket={basket}
                locked={placed !== undefined}
                onPlaced={onPlaced}
                onCancel={() => navigate("/")}
              />
            )}
          </div>
          <div className="min-w-0 space-y-6 lg:col-span-2 lg:col-start-4 lg:row-start-2">
            <PaymentPanel
              total={price.total}
              hosts={{
                popup: new URL(popupOrigin(config.network, config.popupHosts)).host,
                page: window.location.host,
              }}
              finance={
                <FinanceButton
                  widget={widget}
                  paid={paid}
                  label="Finance with Bitcoin"
                  hint={hintFor({ placed: placed !== undefined, failing: widget.failing, paid })}
                />
              }
            />
            <Button
              ref={complete}
              kind="forward"
              className="w-full"
              disabled={!paid}
              onClick={completePurchase}
            >
              Complete Purchase
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

function hintFor({
  placed,
  failing,
  paid,
}: {
  placed: boolean;
  failing: boolean;
  paid: boolean;
}): string | undefined {
  if (paid) return "Your loan is under way. Complete the purchase to follow your order.";
  if (!placed) return "Place your order first; then you can pay for it.";
  return failing ? "The lender cannot be reached right now. We keep trying." : undefined;
}

/** Whether what stands in the form was typed for this order: not after a reload, nor for the next order. */
function isOfDraft(placed: PlacedOrderState): boolean {
  return placed.inBasket === true && placed.superseded !== true;
}

/** What stands in the form's place where that was typed for no order yet, or for another. */
function PlacedBefore({ orderId, waiting }: { orderId: string; waiting: boolean }) {
  return (
    <div className="border-y border-line py-8">
      <p className="text-lg">
        Order <span className="money font-medium">#{shortOrderId(orderId)}</span> is placed.
      </p>
      <p className="mt-1 text-ink-soft">Your details are stored with it. Go on with the payment.</p>
      {waiting && (
        <p className="mt-4 text-ink-soft">What you have put into your cart since then waits there.</p>
      )}
    </div>
  );
}
