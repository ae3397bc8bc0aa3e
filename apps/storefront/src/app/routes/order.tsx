import { isPaidStatus, shortOrderId } from "@keepsats/domain";
import { buttonClasses } from "@keepsats/ui/button.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { useEffect, useEffectEvent } from "react";
import { useStore } from "zustand";
import {
  completePurchase,
  endPurchase,
  useCheckoutSession,
} from "../../features/checkout/checkout-session.ts";
import { CancelOrder } from "../../features/order-status/cancel-order.tsx";
import { ConnectionLabel, StreamNotice } from "../../features/order-status/connection.tsx";
import { OrderDetails, Shipment } from "../../features/order-status/order-details.tsx";
import { PageActions } from "../../features/order-status/page-actions.tsx";
import { type PaymentOffer, paymentOffer } from "../../features/order-status/payment-offer.ts";
import { isPriceRefunded, Receipts, useReceipts } from "../../features/order-status/receipts.tsx";
import { RequestReturn } from "../../features/order-status/request-return.tsx";
import { Returns } from "../../features/order-status/returns.tsx";
import { StatusAlert } from "../../features/order-status/status-alert.tsx";
import { FinanceButton, type PayableOrder } from "../../features/payment-widget/finance-button.tsx";
import { usePaymentReports } from "../../features/payment-widget/payments.ts";
import { type OrderLink, orderLink, orderLinkIn, withSavedKey } from "../../lib/order-link.ts";
import { contactLink, usePageSettings } from "../../lib/page-settings.ts";
import { Link, useLocation, useNavigate } from "../../lib/router.tsx";
import { useSavedOrders } from "../../lib/saved-orders.ts";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";

/**
 * `/order?orderId=…&contractId=…#key=…`: the live status of an order. It needs a loan or a key.
 * A link without a key is completed with the key of the saved order.
 */
export default function OrderRoute() {
  const { search, hash } = useLocation();
  return <OrderPage key={search + hash} />;
}

function OrderPage() {
  const settings = usePageSettings();
  const location = useLocation();
  const orderId = new URLSearchParams(location.search).get("orderId");
  const saved = useStore(useSavedOrders().store, ({ orders }) =>
    orders.find(({ id }) => id === orderId?.toLowerCase()),
  );
  const link = withSavedKey(orderLinkIn(location), saved);
  useWarnIfIncomplete(link);
  const heading = useHeadingFocus();
  const focusHeading = () => heading.current?.focus();
  const state = useOrderStream(link);
  const { order, error } = state;
  const title = orderId ? `Order #${shortOrderId(orderId)}` : undefined;
  usePageTitle(title ?? "Order Status");
  const isFound = order !== undefined || (error !== undefined && error !== "OrderNotFound");
  const isLoading = link !== undefined && order === undefined && error === undefined;
  const hasLoanId = (link?.loanId ?? saved?.loanId) !== undefined;
  const isPaid = isPaidStatus(order?.status ?? "");
  useEndPurchase(orderId, order?.status ?? "");
  useShowNextPayment(link);
  const offer = paymentOffer({ order, error, link });
  // A wrong key beside a valid loan id gives no further access.
  const keyedLink =
    link?.key !== undefined && order?.has_key === true
      ? { orderId: link.orderId, key: link.key }
      : undefined;
  const receipts = useReceipts(keyedLink, order);
  const hasReceipt = isPaid || receipts.length > 0;
  // While the order is loading, what it will most likely print, so that nothing shifts.
  const mayPrint = (isLoading ? link.key : keyedLink) !== undefined;
  const printed = hasReceipt || (isLoading && hasLoanId) ? "receipt" : "order";
  const payable =
    order && orderId ? { id: orderId.toLowerCase(), total: order.total_price } : undefined;

  return (
    <>
      <div className="mb-6 hidden print:block">
        <p className="text-xl font-bold">{settings.shopName} · Order</p>
      </div>
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <div>
          <div className="mb-1 flex min-h-6 items-center gap-4 print:hidden">
            {title !== undefined && <p className="text-ink-soft">Order Status</p>}
            <ConnectionLabel connection={state.connection} />
          </div>
          <h1 ref={heading} tabIndex={-1} className="money text-xl whitespace-normal wrap-anywhere">
            {title ?? "Order Status"}
          </h1>
          <p className={classes("money", order?.number === undefined && "invisible print:hidden")}>
            Number {order?.number}
          </p>
          <p className="hidden print:block">{orderId}</p>
          {link !== undefined && (
            <p
              className={classes(
                "mt-1 text-sm text-ink-soft print:hidden",
                !isFound && "invisible",
              )}
            >
              {saved === undefined
                ? "Keep this link: it leads back to your order."
                : "The order is saved in this browser under Your orders. Copy the link for other devices."}
            </p>
          )}
        </div>
        <PageActions
          address={link && (isFound || isLoading) ? settings.origin + orderLink(link) : undefined}
          printed={mayPrint ? printed : undefined}
          isLoading={isLoading}
        />
      </div>
      <div className="space-y-10">
        <StreamNotice state={state} />
        {order !== undefined && (
          <>
            <StatusAlert
              order={order}
              error={error}
              hasLoanId={hasLoanId}
              payment={offer && <Payment offer={offer} order={payable} />}
            />
            {order.merchant_message && <MerchantMessage text={order.merchant_message} />}
            <Shipment order={order} />
            <Returns
              order={order}
              isPriceRefunded={isPriceRefunded(receipts, order.refunded)}
              link={keyedLink}
              onWithdrawn={focusHeading}
            />
            <OrderDetails order={order} link={keyedLink} />
          </>
        )}
      </div>
      <Receipts receipts={receipts} />
      <div className="mt-12 flex flex-wrap items-center gap-x-8 gap-y-4">
        <div className="flex flex-wrap gap-3 print:hidden">
          <Link to="/" className={buttonClasses("plain")}>
            Continue Shopping
          </Link>
          {keyedLink && (
            <CancelOrder
              link={keyedLink}
              status={order?.status}
              hasLoanId={hasLoanId}
              onCancelled={focusHeading}
            />
          )}
          {keyedLink && order && (
            <RequestReturn
              link={keyedLink}
              items={order.items}
              offer={order.return_offer}
              onRequested={focusHeading}
            />
          )}
        </div>
        {settings.contact !== undefined && <Contact contact={settings.contact} />}
      </div>
    </>
  );
}

function useWarnIfIncomplete(link: OrderLink | undefined): void {
  const isIncomplete = link === undefined;
  useEffect(() => {
    if (isIncomplete)
      console.warn("The order page needs an orderId, and a contractId or the order's key");
  }, [isIncomplete]);
}

/**
 * Completes the purchase once this page shows that the order is paid, and ends it once the order is
 * cancelled: then its items stay in the cart.
 */
function useEndPurchase(orderId: string | null, status: string): void {
  const session = useCheckoutSession();
  const onStatus = useEffectEvent((id: string) => {
    if (isPaidStatus(status)) completePurchase(session, id);
    if (status === "Cancelled") endPurchase(session, id);
  });
  useEffect(() => {
    if (orderId && status) onStatus(orderId.toLowerCase());
  }, [orderId, status]);
}

/** Shows the new loan when the order is paid again on this page. */
function useShowNextPayment(link: OrderLink | undefined): void {
  const navigate = useNavigate();
  const session = useCheckoutSession();
  usePaymentReports((orderId, loanId) => {
    if (link === undefined || orderId !== link.orderId.toLowerCase()) return;
    completePurchase(session, orderId);
    navigate(orderLink({ ...link, loanId }));
  });
}

function Payment({ offer, order }: { offer: PaymentOffer; order: PayableOrder | undefined }) {
  return (
    <section aria-labelledby="payment" className="mt-8 max-w-md print:hidden">
      <h2 id="payment" className="mb-2 text-lg">
        {offer.title}
      </h2>
      <p className="mb-4 text-ink-soft">{offer.description}</p>
      <FinanceButton order={order} isDisabled={false} label={offer.label} kind={offer.kind} />
    </section>
  );
}

function MerchantMessage({ text }: { text: string }) {
  return (
    <section aria-labelledby="message" className="border-l-4 border-line-strong pl-5">
      <h2 id="message" className="mb-1 text-lg">
        A message from the shop
      </h2>
      <p className="max-w-prose whitespace-pre-line wrap-anywhere">{text}</p>
    </section>
  );
}

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
