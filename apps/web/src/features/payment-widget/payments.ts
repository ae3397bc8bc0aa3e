import { createContext, use } from "react";
import { savedText, saveText } from "../../lib/session-storage.ts";
import { createWidget, type Page, type Widget } from "./widget.ts";
import { logMessage } from "./widget-messages.ts";

/** Called when a pop-up reports success, with the contract that pays the order. */
export type PaidListener = (orderId: string, contractId: string) => void;

const urlKey = "keepsats-opened-window";
const successKey = "keepsats-opened-window-succeeded";

/**
 * The pop-up that was opened last. This survives a reload and is cleared when the purchase is
 * complete.
 */
export const lastPopup = {
  /** Its address; `undefined` when there is none. */
  url: () => savedText(urlKey),
  /** Whether its payment has succeeded, so that a further payment needs a new page in it. */
  hasSucceeded: () => savedText(successKey) !== undefined,
  save(url: string): void {
    saveText(urlKey, url);
    saveText(successKey, undefined);
  },
  saveSuccess: () => saveText(successKey, "true"),
  clear(): void {
    saveText(urlKey, undefined);
    saveText(successKey, undefined);
  },
};

/** A payment that a screen can start. */
export interface PaymentRequest {
  /** The address of the pop-up. */
  readonly url: string;
  readonly orderId: string;
  /** The window of this page. */
  readonly page: Page;
}

/**
 * The payments of this page. They are kept across screens, because the pop-up stays open when the
 * shopper leaves the checkout.
 */
export class Payments {
  /** The widgets by the address of their pop-up. */
  readonly #widgets = new Map<string, Widget>();
  /**
   * The widget that was started last. Only this one listens: all widgets share one pop-up window.
   */
  #current: Widget | undefined;
  readonly #listeners = new Set<PaidListener>();

  /** Calls the listener for each payment that succeeds. @returns a function that unsubscribes */
  onPaid(listener: PaidListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Opens the pop-up of a payment. Call it in the click handler, otherwise the browser blocks the
   * pop-up.
   */
  openPopup(request: PaymentRequest): void {
    lastPopup.save(request.url);
    this.#makeCurrent(request).open();
  }

  /** Prepares for messages of a window that the shopper opens by the plain link. */
  expectLink(request: PaymentRequest): void {
    lastPopup.save(request.url);
    this.#makeCurrent(request).expectLink();
  }

  /**
   * Call it when a screen shows a payment. If its pop-up was opened before a reload, its messages
   * are accepted again.
   */
  resume(request: PaymentRequest): void {
    if (this.#widgets.has(request.url) || lastPopup.url() !== request.url) return;
    const widget = this.#makeCurrent(request);
    if (lastPopup.hasSucceeded()) widget.expectLink();
    else widget.resume();
  }

  /** Abandons the previous payment, because both use the same pop-up window. */
  #makeCurrent(request: PaymentRequest): Widget {
    const widget = this.#widgets.get(request.url) ?? this.#createWidget(request);
    if (this.#current !== widget) this.#current?.abandon();
    this.#current = widget;
    return widget;
  }

  #createWidget({ url, orderId, page }: PaymentRequest): Widget {
    const widget = createWidget({
      url: new URL(url),
      page,
      onMessage: (message) => {
        logMessage(message);
        if (message.status !== "success") return;
        lastPopup.saveSuccess();
        for (const listener of this.#listeners) listener(orderId, message.contractId);
      },
    });
    this.#widgets.set(url, widget);
    return widget;
  }
}

export const PaymentsContext = createContext<Payments | undefined>(undefined);

export function usePayments(): Payments {
  const payments = use(PaymentsContext);
  if (payments === undefined) throw new Error("there are no payments above this component");
  return payments;
}
