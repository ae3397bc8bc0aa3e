import { lastPopup, type Payments } from "./payments.ts";
import { createWidget, type Page, type Widget } from "./widget.ts";
import { logMessage } from "./widget-messages.ts";

/** A payment that a screen can start. */
export interface PaymentRequest {
  /** The address of the pop-up. */
  readonly url: string;
  readonly orderId: string;
  /** The window of this page. */
  readonly page: Page;
}

function widgetFor(payments: Payments, { url, orderId, page }: PaymentRequest): Widget {
  const existing = payments.widgets.get(url);
  if (existing !== undefined) return existing;
  const widget = createWidget({
    url: new URL(url),
    page,
    onMessage: (message) => {
      logMessage(message);
      if (message.status !== "success") return;
      lastPopup.saveSuccess();
      payments.reportPaid(orderId, message.contractId);
    },
  });
  payments.widgets.set(url, widget);
  return widget;
}

/**
 * Makes a payment the current one. The previous one is abandoned, because both use the same pop-up
 * window.
 */
function makeCurrent(payments: Payments, request: PaymentRequest): Widget {
  const widget = widgetFor(payments, request);
  if (payments.current !== widget) payments.current?.abandon();
  payments.current = widget;
  return widget;
}

/**
 * Opens the pop-up of a payment. Call it in the click handler, otherwise the browser blocks the
 * pop-up.
 */
export function openPopup(payments: Payments, request: PaymentRequest): void {
  lastPopup.save(request.url);
  makeCurrent(payments, request).open();
}

/** Prepares for messages of a window that the shopper opens by the plain link. */
export function expectLink(payments: Payments, request: PaymentRequest): void {
  lastPopup.save(request.url);
  makeCurrent(payments, request).expectLink();
}

/**
 * Call it when a screen shows a payment. If its pop-up was opened before a reload, its messages are
 * accepted again.
 */
export function resume(payments: Payments, request: PaymentRequest): void {
  if (payments.widgets.has(request.url) || lastPopup.url() !== request.url) return;
  const widget = makeCurrent(payments, request);
  if (lastPopup.hasSucceeded()) widget.expectLink();
  else widget.resume();
}
