import { createContext, use } from "react";
import { savedText, saveText } from "../../lib/session-storage.ts";
import type { Widget } from "./widget.ts";

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

/**
 * The payments of this page. They are kept across screens, because the pop-up stays open when the
 * shopper leaves the checkout. This class holds the state only; the code that starts a payment is
 * loaded lazily (`start-payment.ts`).
 */
export class Payments {
  /** The widgets by the address of their pop-up. */
  readonly widgets = new Map<string, Widget>();
  /**
   * The widget that was started last. Only this one listens: all widgets share one pop-up window.
   */
  current: Widget | undefined;
  readonly #listeners = new Set<PaidListener>();

  /** Calls the listener for each payment that succeeds. @returns a function that unsubscribes */
  onPaid(listener: PaidListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reportPaid(orderId: string, contractId: string): void {
    for (const listener of this.#listeners) listener(orderId, contractId);
  }
}

export const PaymentsContext = createContext<Payments | undefined>(undefined);

export function usePayments(): Payments {
  const payments = use(PaymentsContext);
  if (payments === undefined) throw new Error("there are no payments above this component");
  return payments;
}
