import { awaitsPayment, isOrderStatus, shortOrderId } from "@keepsats/domain";
import { buttonClasses } from "@keepsats/ui/button.tsx";
import { classes } from "@keepsats/ui/classes.ts";
import type { LazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Link } from "@keepsats/ui/link.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { useEffect, useEffectEvent } from "react";
import { createPath, useLocation, useNavigate } from "react-router";
import { useStore } from "zustand";
import { usePictures } from "../../features/catalogue/items-query.ts";
import { useCheckoutSession } from "../../features/checkout/checkout-session.ts";
import type { CorrectAddressProps } from "../../features/checkout/correct-address.tsx";
import { CancelOrder } from "../../features/order-status/cancel-order.tsx";
import { ConnectionLabel } from "../../features/order-status/connection-label.tsx";
import { CopyLink } from "../../features/order-status/copy-link.tsx";
import { OrderFollower } from "../../features/order-status/order-follower.tsx";
import { OrderScreen } from "../../features/order-status/order-screen.tsx";
import { type PaymentOffer, paymentOffer } from "../../features/order-status/payment-offer.ts";
import { PrintOrder } from "../../features/order-status/print-order.tsx";
import { RefreshButton } from "../../features/order-status/refresh-button.tsx";
import { usePayments } from "../../features/payment-widget/payments.ts";
import type { PayableOrder } from "../../features/payment-widget/use-payment-widget.ts";
import { type OrderLink, orderLink, orderLinkIn, withOwnKey } from "../../lib/order-link.ts";
import { useOwnOrders } from "../../lib/own-orders.ts";
import { useOrderStream } from "../../lib/use-order-stream.ts";
import { contactLink } from "../contact-link.ts";
import { CorrectAddressButton } from "../correct-address-button.tsx";
import { usePageConfig } from "../page-config.ts";
import { useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { PaymentButton } from "../payment-button.tsx";
import { useCompletePurchase } from "../use-complete-purchase.ts";

/** @public Loaded by `app/lazy-components.ts`, from the chunk of this route. */
export { OrderFollower };

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
  const isPaid = isPaidStatus(order?.status);
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
          address={
            link && (isFound || isLoading) ? config.origin + createPath(orderLink(link)) : undefined
          }
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

interface PageActionsProps {
  /** The address that is copied; `undefined` where no order is found. */
  readonly address: string | undefined;
  /** What the page is in print; `undefined` where it is not printed. */
  readonly printed: Printed | undefined;
  /**
   * Whether the order is loading: the buttons that need it keep their room, so that the page does
   * not move when they appear.
   */
  readonly isLoading: boolean;
  readonly isLive: boolean;
}

type Printed = "receipt" | "order";

/**
 * What the page of an order that is loading will most likely be in print. Without the key it is not
 * printed.
 */
function expectedPrint(link: OrderLink, hasContract: boolean): Printed | undefined {
  if (link.key === undefined) return undefined;
  return hasContract ? "receipt" : "order";
}

function PageActions({ address, printed, isLoading, isLive }: PageActionsProps) {
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <RefreshButton isLive={isLive} />
      <div className={classes("contents", isLoading && "invisible")}>
        {address !== undefined && <CopyLink address={address} />}
        {printed !== undefined && <PrintOrder as={printed} />}
      </div>
    </div>
  );
}

function useWarnIfIncomplete(link: OrderLink | undefined): void {
  const isIncomplete = link === undefined;
  useEffect(() => {
    if (isIncomplete)
      console.warn("The order page needs an orderId, and a contractId or the order's key");
  }, [isIncomplete]);
}

function isPaidStatus(status: string | null | undefined): boolean {
  return (
    status != null && isOrderStatus(status) && !awaitsPayment(status) && status !== "Cancelled"
  );
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
  return (
    <section aria-labelledby="payment" className="max-w-md print:hidden">
      <h2 id="payment" tabIndex={-1} className="mb-2 text-lg">
        {offer.title}
      </h2>
      <p className="mb-4 text-ink-soft">{offer.description}</p>
      <PaymentButton
        order={order}
        paid={false}
        label={offer.label}
        kind={offer.kind}
        headingId="payment"
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
