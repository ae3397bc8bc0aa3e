import { openedWindow, type Payments } from "./payments.ts";
import { createWidget, type Page, type Widget } from "./widget.ts";
import { logMessage } from "./widget-messages.ts";

/** A payment that a screen can start. */
export interface PaymentRequest {
  /** The address of its window. */
  readonly url: string;
  readonly orderId: string;
  /** The page's own window. */
  readonly page: Page;
}

function widgetFor(payments: Payments, { url, orderId, page }: PaymentRequest): Widget {
  const known = payments.widgets.get(url);
  if (known !== undefined) return known;
  const widget = createWidget({
    url: new URL(url),
    page,
    onMessage: (message) => {
      logMessage(message);
      if (message.status === "success") payments.paid(orderId, message.contractId);
    },
  });
  payments.widgets.set(url, widget);
  return widget;
}

/** Gives the one window to a payment: the payment before is not listened to any more. */
function begin(payments: Payments, request: PaymentRequest): Widget {
  const widget = widgetFor(payments, request);
  if (payments.begun !== widget) payments.begun?.abandon();
  payments.begun = widget;
  openedWindow.keep(request.url);
  return widget;
}

/** Opens the pop-up of a payment. Call it inside the click, or the browser blocks it. */
export function openPopup(payments: Payments, request: PaymentRequest): void {
  begin(payments, request).open();
}

/** The shopper follows the plain link of a payment. */
export function expectLink(payments: Payments, request: PaymentRequest): void {
  begin(payments, request).expectLink();
}

/** A screen shows a payment. Where its window was opened before a reload of the page, it is listened to again. */
export function resume(payments: Payments, request: PaymentRequest): void {
  if (!payments.widgets.has(request.url) && openedWindow.read() === request.url)
    expectLink(payments, request);
}
