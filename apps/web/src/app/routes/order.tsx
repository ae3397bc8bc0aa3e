import { isPaidStatus, shortOrderId } from "@keepsats/domain";
import { buttonClasses } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import type { LazyComponent } from "@keepsats/ui/lazy-component.ts";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useEffect, useEffectEvent } from "react";
import { useStore } from "zustand";
import { usePictures } from "../../features/catalogue/items-query.ts";
import { useCheckoutSession } from "../../features/checkout/checkout-session.ts";
import type { CorrectAddressProps } from "../../features/checkout/correct-address.tsx";
import { CancelOrder } from "../../features/order-status/cancel-order.tsx";
import { ConnectionLabel, OrderScreen } from "../../features/order-status/order-screen.tsx";
import { PageActions } from "../../features/order-status/page-actions.tsx";
import { type PaymentOffer, paymentOffer } from "../../features/order-status/payment-offer.ts";
import { FinanceButton } from "../../features/payment-widget/finance-button.tsx";
import { usePayments } from "../../features/payment-widget/payments.ts";
import type { PayableOrder } from "../../features/payment-widget/use-payment-widget.ts";
import { type OrderLink, orderLink, orderLinkIn, withOwnKey } from "../../lib/order-link.ts";
import { useOwnOrders } from "../../lib/own-orders.ts";
import { Link, useLocation, useNavigate } from "../../lib/router.tsx";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { CorrectAddressButton } from "../correct-address-button.tsx";
import { contactLink, usePageConfig } from "../page-config.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { useCompletePurchase } from "../purchases.ts";

interface OrderRouteProps {
  /** The lazy form that corrects the shipping address. */
  readonly addressForm: LazyComponent<CorrectAddressProps>;
}

/**
 * `/order?orderId=…&contractId=…#key=…`: the live status of an order. At least one of contract and
 * key is needed. A link without a key is completed by the one that this browser knows.
 */
export default function OrderRoute(props: OrderRouteProps) {
  const { search, hash } = useLocation();
  return <OrderPage key={search + hash} {...props} />;
}

function OrderPage({ addressForm }: OrderRouteProps) {
  const config = usePageConfig();
  const pictures = usePictures();
  const location = useLocation();
  const orderId = new URLSearchParams(location.search).get("orderId");
  const own = useStore(useOwnOrders().store, ({ orders }) =>
    orders.find(({ id }) => id === orderId?.toLowerCase()),
  );
  const link = withOwnKey(orderLinkIn(location), own);
  useWarnIfIncomplete(link);
  const heading = useHeadingFocus();
  const state = useOrderStream(link, config.origin);
  const { order, error } = state;
  const number = orderId ? `Order #${shortOrderId(orderId)}` : undefined;
  usePageTitle(number ?? "Order Status");
  const isFound = order !== undefined || (error !== undefined && error !== "OrderNotFound");
  const isLoading = link !== undefined && order === undefined && error === undefined;
  const hasContract = (link?.contractId ?? own?.contractId) !== undefined;
  const isPaid = isPaidStatus(order?.status ?? "");
  useCompleteWhenPaid(orderId, isPaid);
  useEndWhenCancelled(orderId, order?.status === "Cancelled");
  useFollowNextPayment(link);
  const offer = paymentOffer({ order, error, link });
  // A wrong key beside a right contract opens nothing more.
  const ownLink =
    link?.key !== undefined && order?.has_key === true
      ? { orderId: link.orderId, key: link.key }
      : undefined;
  const payable =
    order && orderId ? { id: orderId.toLowerCase(), total: order.total_price } : undefined;

  return (
    <>
      <div className="mb-6 hidden print:block">
        <p className="text-xl font-bold">
          {config.shopName} · {isPaid ? "Receipt" : "Order"}
        </p>
        {isPaid && <p>Paid with a Bitcoin-backed loan</p>}
      </div>
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <div className="mb-1 flex min-h-6 items-center gap-4 print:hidden">
            {number !== undefined && <p className="text-ink-soft">Order Status</p>}
            <ConnectionLabel connection={state.connection} />
          </div>
          <h1 ref={heading} tabIndex={-1} className="money text-xl whitespace-normal wrap-anywhere">
            {number ?? "Order Status"}
          </h1>
          <p className="hidden print:block">{orderId}</p>
          {link !== undefined && (
            <p
              className={classes(
                "mt-1 text-sm text-ink-soft print:hidden",
                !isFound && "invisible",
              )}
            >
              {own === undefined
                ? "Keep this link: it leads back to your order."
                : "This browser keeps the order under Your orders. For other devices copy the link."}
            </p>
          )}
        </div>
        <PageActions
          address={link && (isFound || isLoading) ? config.origin + orderLink(link) : undefined}
          printed={
            isLoading ? expectedPrint(link, hasContract) : ownLink && (isPaid ? "receipt" : "order")
          }
          isLoading={isLoading}
          isLive={state.connection === "live"}
        />
      </div>
      <OrderScreen
        state={state}
        hasContract={hasContract}
        pictures={pictures}
        payment={offer && <Payment offer={offer} order={payable} />}
        correctAddress={
          ownLink &&
          order && <CorrectAddressButton link={ownLink} order={order} form={addressForm} />
        }
      />
      <div className="mt-12 flex flex-wrap items-center gap-x-8 gap-y-4">
        <div className="flex flex-wrap gap-3 print:hidden">
          <Link to="/" className={buttonClasses("plain")}>
            Continue Shopping
          </Link>
          {ownLink && (
            <CancelOrder
              order={ownLink}
              canCancel={
                order?.status === "Pending" ||
                // A loan unknown to this browser does not block cancelling.
                (order?.status === "PaymentProcessing" && !hasContract)
              }
              onCancelled={() => heading.current?.focus()}
            />
          )}
        </div>
        {config.contact !== undefined && <Contact contact={config.contact} />}
      </div>
    </>
  );
}

/**
 * What the page of an order that is loading will most likely be in print. Without the key it is not
 * printed.
 */
function expectedPrint(link: OrderLink, hasContract: boolean): "receipt" | "order" | undefined {
  if (link.key === undefined) return undefined;
  return hasContract ? "receipt" : "order";
}

function useWarnIfIncomplete(link: OrderLink | undefined): void {
  const isIncomplete = link === undefined;
  useEffect(() => {
    if (isIncomplete)
      console.warn("The order page needs an orderId, and a contractId or the order's key");
  }, [isIncomplete]);
}

/**
 * Completes the purchase if the checkout still shows the order, although this page shows that it is
 * paid.
 */
function useCompleteWhenPaid(orderId: string | null, isPaid: boolean): void {
  const completePurchase = useCompletePurchase();
  const complete = useEffectEvent(completePurchase);
  useEffect(() => {
    if (isPaid && orderId) complete(orderId.toLowerCase());
  }, [isPaid, orderId]);
}

/**
 * Ends the purchase of a cancelled order, because this page tells of it. What it contained stays in
 * the cart.
 */
function useEndWhenCancelled(orderId: string | null, isCancelled: boolean): void {
  const { orders } = useCheckoutSession();
  useEffect(() => {
    if (isCancelled && orderId) orders.complete(orderId.toLowerCase());
  }, [isCancelled, orderId, orders]);
}

/** Follows the new loan when the order is paid on this page. */
function useFollowNextPayment(link: OrderLink | undefined): void {
  const payments = usePayments();
  const navigate = useNavigate();
  const completePurchase = useCompletePurchase();
  const onPaid = useEffectEvent((orderId: string, contractId: string) => {
    if (link === undefined || orderId !== link.orderId.toLowerCase()) return;
    completePurchase(orderId);
    navigate(orderLink({ ...link, contractId }));
  });
  useEffect(
    () => payments.onPaid((orderId, contractId) => onPaid(orderId, contractId)),
    [payments],
  );
}

function Payment({ offer, order }: { offer: PaymentOffer; order: PayableOrder | undefined }) {
  const settings = usePageConfig();
  return (
    <section aria-labelledby="payment" className="max-w-md print:hidden">
      <h2 id="payment" className="mb-2 text-lg">
        {offer.title}
      </h2>
      <p className="mb-4 text-ink-soft">{offer.description}</p>
      <FinanceButton
        order={order}
        settings={settings}
        paid={false}
        label={offer.label}
        kind={offer.kind}
      />
    </section>
  );
}

/** The shop's contact: an e-mail address or a web page. */
function Contact({ contact }: { contact: string }) {
  const { href, isPage } = contactLink(contact);
  return (
    <p className="text-ink-soft">
      Questions about this order?{" "}
      <a href={href} className={classes(textLink, "wrap-anywhere")}>
        {isPage ? "Ask the shop" : contact}
      </a>
    </p>
  );
}
