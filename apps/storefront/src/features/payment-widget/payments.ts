import { requiredContext } from "@keepsats/ui/required-context.ts";
import { useEffect, useEffectEvent } from "react";
import { createStore } from "zustand/vanilla";
import { savedText, saveText } from "../../lib/session-storage.ts";
import { createWidget, type Page, type Widget } from "./widget.ts";
import { logMessage } from "./widget-protocol.ts";

/** Called when a pop-up reports success. */
export type ReportListener = (orderId: string, loanId: string) => void;

const urlKey = "keepsats-opened-window";
const successKey = "keepsats-opened-window-succeeded";

/** The pop-up that was opened last. It survives a reload, and is cleared with the purchase. */
export const lastPopup = {
  url: () => savedText(urlKey),
  /** Whether its payment has succeeded, so that another payment must load a new page in it. */
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

export interface PaymentRequest {
  /** The URL of the pop-up. */
  readonly url: string;
  readonly orderId: string;
  readonly page: Page;
}

/**
 * The payments of this page. They are kept across screens, because the pop-up stays open when the
 * customer leaves the checkout.
 */
export class Payments {
  /** The payment that was started last. Only it listens, because all payments share one window. */
  #current: { readonly url: string; readonly widget: Widget } | undefined;
  readonly #listeners = new Set<ReportListener>();
  /** The URL of the open pop-up whose payment has not succeeded yet; `undefined` without one. */
  readonly opened = createStore<{ readonly url?: string | undefined }>(() => ({}));

  /** Calls the listener for each payment that succeeds. Returns a function that unsubscribes. */
  onReported(listener: ReportListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call it in the click handler, otherwise the browser blocks the pop-up. */
  openPopup(request: PaymentRequest): void {
    lastPopup.save(request.url);
    this.#makeCurrent(request).open();
  }

  /** Accepts messages of a window that the customer opens by the plain link. */
  expectLink(request: PaymentRequest): void {
    lastPopup.save(request.url);
    this.#makeCurrent(request).expectLink();
  }

  /** Call it when a screen shows a payment: accepts messages of a pop-up opened before a reload. */
  resume(request: PaymentRequest): void {
    if (this.#current?.url === request.url || lastPopup.url() !== request.url) return;
    const widget = this.#makeCurrent(request);
    if (lastPopup.hasSucceeded()) widget.expectLink();
    else widget.resume();
  }

  /** Abandons the previous payment, because both use the same window. */
  #makeCurrent({ url, orderId, page }: PaymentRequest): Widget {
    if (this.#current?.url === url) return this.#current.widget;
    this.#current?.widget.abandon();
    const widget = createWidget({
      url: new URL(url),
      page,
      onMessage: (message) => {
        logMessage(message);
        if (message.status !== "success") return;
        lastPopup.saveSuccess();
        this.opened.setState({ url: undefined });
        for (const listener of this.#listeners) listener(orderId, message.contractId);
      },
      onOpenChange: (isOpen) => {
        if (isOpen) this.opened.setState({ url });
        else if (this.opened.getState().url === url) this.opened.setState({ url: undefined });
      },
    });
    this.#current = { url, widget };
    return widget;
  }
}

export const [PaymentsContext, usePayments] = requiredContext<Payments>("payments");

/** Calls the listener for each payment that succeeds. */
export function usePaymentReports(listener: ReportListener): void {
  const payments = usePayments();
  const onReported = useEffectEvent(listener);
  useEffect(
    () => payments.onReported((orderId, loanId) => onReported(orderId, loanId)),
    [payments],
  );
}
