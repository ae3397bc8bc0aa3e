import { createContext, use } from "react";
import { keepText, keptText } from "../../lib/session-storage.ts";
import { createWidget, type Page, type Widget } from "./widget.ts";
import { logMessage } from "./widget-messages.ts";

/** A payment that a screen can start: the address of its window, and the order that it pays. */
export interface PaymentRequest {
  readonly url: string;
  readonly orderId: string;
}

/** Hears of every loan that a window has reported. */
export type PaidListener = (orderId: string, contractId: string) => void;

/**
 * The payments of this page. They outlive the screens that start them, because the provider's window does. One window is
 * open at a time: starting another payment ends listening to the one before.
 */
export interface Payments {
  /** Opens the pop-up of a payment. Call it inside the click, or the browser blocks it. */
  open(payment: PaymentRequest): void;
  /** The shopper follows the plain link of a payment. */
  expectLink(payment: PaymentRequest): void;
  /** A screen shows a payment. Where its window was opened before a reload of the page, it is listened to again. */
  resume(payment: PaymentRequest): void;
  /** The purchase is complete: after a reload no window is expected for it. */
  forgetOpened(): void;
  /** @returns a function that ends it */
  onPaid(listener: PaidListener): () => void;
}

const openedKey = "keepsats-opened-window";

/** Made once, by the app. @param page the page's window */
export function createPayments(page: Page): Payments {
  const widgets = new Map<string, Widget>();
  const listeners = new Set<PaidListener>();
  /** The widget that has, or had last, the one window. */
  let begun: Widget | undefined;

  function widgetFor({ url, orderId }: PaymentRequest): Widget {
    const known = widgets.get(url);
    if (known !== undefined) return known;
    const widget = createWidget({
      url: new URL(url),
      page,
      onMessage: (message) => {
        logMessage(message);
        if (message.status !== "success") return;
        for (const listener of listeners) listener(orderId, message.contractId);
      },
    });
    widgets.set(url, widget);
    return widget;
  }

  /** Gives the one window to a payment. */
  function begin(payment: PaymentRequest): Widget {
    const widget = widgetFor(payment);
    if (begun !== widget) begun?.abandon();
    begun = widget;
    keepText(openedKey, payment.url);
    return widget;
  }

  return {
    open: (payment) => begin(payment).open(),
    expectLink: (payment) => begin(payment).expectLink(),
    resume(payment) {
      if (!widgets.has(payment.url) && keptText(openedKey) === payment.url) begin(payment).expectLink();
    },
    forgetOpened: () => keepText(openedKey, undefined),
    onPaid(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const PaymentsContext = createContext<Payments | undefined>(undefined);

export function usePayments(): Payments {
  const payments = use(PaymentsContext);
  if (payments === undefined) throw new Error("there are no payments above this component");
  return payments;
}
