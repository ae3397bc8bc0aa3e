import { isPaidStatus, shortOrderId } from "@keepsats/domain";
import { buttonClasses } from "@keepsats/ui/button.tsx";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import type { LazyComponent } from "@keepsats/ui/lazy-component.ts";
import { useEffect, useEffectEvent } from "react";
import { useStore } from "zustand";
import { usePictures } from "../../features/catalogue/queries.ts";
import { useCheckoutSession } from "../../features/checkout/checkout-session.ts";
import type { CorrectAddressProps } from "../../features/checkout/correct-address.tsx";
import { CancelOrder } from "../../features/order-status/cancel-order.tsx";
import { ConnectionLabel, OrderScreen } from "../../features/order-status/order-screen.tsx";
import { PageActions } from "../../features/order-status/page-actions.tsx";
import { type PaymentOffer, paymentOffer } from "../../features/order-status/payment-offer.ts";
import { isPriceRefunded, Receipts, useReceipts } from "../../features/order-status/receipts.tsx";
import { RequestReturn } from "../../features/order-status/request-return.tsx";
import { WithdrawReturn } from "../../features/order-status/withdraw-return.tsx";
import { FinanceButton, type PayableOrder } from "../../features/payment-widget/finance-button.tsx";
import { usePaymentReports } from "../../features/payment-widget/payments.ts";
import { type OrderLink, orderLink, orderLinkIn, withSavedKey } from "../../lib/order-link.ts";
import { Link, useLocation, useNavigate } from "../../lib/router.tsx";
import { useSavedOrders } from "../../lib/saved-orders.ts";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { CorrectAddressButton } from "../correct-address-button.tsx";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { contactLink, usePageSettings } from "../page-settings.ts";
import { useCompletePurchase } from "../purchases.ts";

interface OrderRouteProps {
  readonly addressForm: LazyComponent<CorrectAddressProps>;
}

/**
 * `/order?orderId=…&contractId=…#key=…`: the live status of an order. It needs a loan or a key.
 * A link without a key is completed with the key of the saved order.
 */
export default function OrderRoute(props: OrderRouteProps) {
  const { search, hash } = useLocation();
  return <OrderPage key={search + hash} {...props} />;
}

function OrderPage({ addressForm }: OrderRouteProps) {
  const settings = usePageSettings();
  const pictures = usePictures();
  const location = useLocation();
  const orderId = new URLSearchParams(location.search).get("orderId");
  const saved = useStore(useSavedOrders().store, ({ orders }) =>
    orders.find(({ id }) => id === orderId?.toLowerCase()),
  );
  const link = withSavedKey(orderLinkIn(location), saved);
  useWarnIfIncomplete(link);
  const heading = useHeadingFocus();
  const state = useOrderStream(link, settings.origin);
  const { order, error } = state;
  const title = orderId ? `Order #${shortOrderId(orderId)}` : undefined;
  usePageTitle(title ?? "Order Status");
  const isFound = order !== undefined || (error !== undefined && error !== "OrderNotFound");
  const isLoading = link !== undefined && order === undefined && error === undefined;
  const hasLoanId = (link?.loanId ?? saved?.loanId) !== undefined;
  const isPaid = isPaidStatus(order?.status ?? "");
  useCompleteWhenPaid(orderId, isPaid);
  useEndWhenCancelled(orderId, order?.status === "Cancelled");
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
      <OrderScreen
        state={state}
        hasLoanId={hasLoanId}
        pictures={pictures}
        payment={offer && <Payment offer={offer} order={payable} />}
        correctAddress={
          keyedLink &&
          order && <CorrectAddressButton link={keyedLink} order={order} form={addressForm} />
        }
        isPriceRefunded={isPriceRefunded(receipts, order?.refunded)}
        withdrawReturn={(returnId) =>
          keyedLink && (
            <WithdrawReturn
              link={keyedLink}
              returnId={returnId}
              onWithdrawn={() => heading.current?.focus()}
            />
          )
        }
      />
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
              onCancelled={() => heading.current?.focus()}
            />
          )}
          {keyedLink && order && (
            <RequestReturn
              link={keyedLink}
              items={order.items}
              offer={order.return_offer}
              onRequested={() => heading.current?.focus()}
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

/** Completes the purchase once this page shows that the order is paid, if it is not complete. */
function useCompleteWhenPaid(orderId: string | null, isPaid: boolean): void {
  const completePurchase = useCompletePurchase();
  const complete = useEffectEvent(completePurchase);
  useEffect(() => {
    if (isPaid && orderId) complete(orderId.toLowerCase());
  }, [isPaid, orderId]);
}

/**
 * Ends the purchase once this page shows that the order is cancelled. Its items stay in the cart.
 */
function useEndWhenCancelled(orderId: string | null, isCancelled: boolean): void {
  const { orders } = useCheckoutSession();
  useEffect(() => {
    if (isCancelled && orderId) orders.endPurchase(orderId.toLowerCase());
  }, [isCancelled, orderId, orders]);
}

/** Shows the new loan when the order is paid again on this page. */
function useShowNextPayment(link: OrderLink | undefined): void {
  const navigate = useNavigate();
  const completePurchase = useCompletePurchase();
  usePaymentReports((orderId, loanId) => {
    if (link === undefined || orderId !== link.orderId.toLowerCase()) return;
    completePurchase(orderId);
    navigate(orderLink({ ...link, loanId }));
  });
}

function Payment({ offer, order }: { offer: PaymentOffer; order: PayableOrder | undefined }) {
  const settings = usePageSettings();
  return (
    <section aria-labelledby="payment" className="mt-8 max-w-md print:hidden">
      <h2 id="payment" className="mb-2 text-lg">
        {offer.title}
      </h2>
      <p className="mb-4 text-ink-soft">{offer.description}</p>
      <FinanceButton
        order={order}
        settings={settings}
        isDisabled={false}
        label={offer.label}
        kind={offer.kind}
      />
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
