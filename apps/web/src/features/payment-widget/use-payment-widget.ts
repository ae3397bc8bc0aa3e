import type { Cents } from "@keepsats/domain";
import { useEffect, useRef } from "react";
import { keepText, keptText } from "../../lib/session-storage.ts";
import { useCurrentUser } from "./current-user-query.ts";
import { createWidget, type Widget } from "./widget.ts";
import type { WidgetResult } from "./widget-messages.ts";
import { type PopupHosts, widgetUrl } from "./widget-url.ts";

interface Options {
  /** The order to be paid, once there is one; `total` in cents. */
  readonly order: { readonly id: string; readonly total: Cents } | undefined;
  readonly network: string;
  readonly inviteCode: string;
  readonly popupHosts: PopupHosts;
  /** Hears of a loan, also when the screen has been left meanwhile. */
  readonly onSuccess: (orderId: string, contractId: string) => void;
}

/** The widget "Bitcoin-backed loans", as a screen uses it. */
export interface PaymentWidget {
  /** There are an order and a current user, so that paying can begin. */
  readonly ready: boolean;
  /** The current user cannot be read just now; it is asked for again. */
  readonly failing: boolean;
  /** Opens the pop-up. */
  finance(): void;
  /** The same as a plain link, for browsers that block pop-ups. */
  readonly link: { readonly href: string; readonly onClick: () => void } | undefined;
}

/** Cancelled and failed payments are only logged; success is told to `onSuccess`. */
export function usePaymentWidget({
  order,
  network,
  inviteCode,
  popupHosts,
  onSuccess,
}: Options): PaymentWidget {
  const { user, failing } = useCurrentUser();
  const payment = useRef<Payment>(undefined);
  const told = useRef(onSuccess);
  useEffect(() => {
    told.current = onSuccess;
  });

  const orderId = order?.id;
  const lenderId = user?.id;
  const url =
    order === undefined || lenderId === undefined
      ? undefined
      : widgetUrl({ amount: order.total, lenderId, orderId: order.id, network, inviteCode }, popupHosts).href;

  useEffect(() => {
    if (url === undefined || orderId === undefined) return;
    payment.current = paymentFor(url, (contractId) => told.current(orderId, contractId));
    return () => {
      payment.current = undefined;
    };
  }, [url, orderId]);

  return {
    ready: url !== undefined,
    failing,
    finance: () => payment.current && begin(payment.current).open(),
    link:
      url === undefined
        ? undefined
        : { href: url, onClick: () => payment.current && begin(payment.current).expectLink() },
  };
}

interface Payment {
  readonly url: string;
  readonly widget: Widget;
  onSuccess: (contractId: string) => void;
}

/** A window outlives the screen that opened it, so its payment is kept, for every screen that shows the order. */
const payments = new Map<string, Payment>();
/** The payment that has, or had last, the one window. */
let begun: Payment | undefined;

function paymentFor(url: string, onSuccess: Payment["onSuccess"]): Payment {
  const known = payments.get(url);
  if (known !== undefined) {
    known.onSuccess = onSuccess;
    return known;
  }
  const widget = createWidget({
    url: new URL(url),
    page: window,
    onResult: (result) => {
      log(result);
      if (result.status === "success") payments.get(url)?.onSuccess(result.contractId);
    },
  });
  const payment: Payment = { url, widget, onSuccess };
  payments.set(url, payment);
  // Before a reload of the page a window was opened for this payment: we no longer know it, but it knows us.
  if (keptText(openedKey) === url) begin(payment).expectLink();
  return payment;
}

const openedKey = "keepsats-opened-window";

/** Gives the one window to a payment. */
function begin(payment: Payment): Widget {
  if (begun !== payment) begun?.widget.abandon();
  begun = payment;
  keepText(openedKey, payment.url);
  return payment.widget;
}

/** The purchase is complete: after a reload no window is to be expected for it. */
export function forgetOpened(): void {
  keepText(openedKey, undefined);
}

function log(result: WidgetResult): void {
  switch (result.status) {
    case "success":
      return;
    case "cancelled":
      return console.info("Payment cancelled", { reason: result.reason });
    case "error":
      return console.warn("Payment error", { code: result.code, message: result.message });
  }
}
