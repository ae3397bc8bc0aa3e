import { createContext, use } from "react";
import { savedText, saveText } from "../../lib/session-storage.ts";
import type { Widget } from "./widget.ts";

/** Hears of every loan that a window has reported. */
export type PaidListener = (orderId: string, contractId: string) => void;

const openedKey = "keepsats-opened-window";

/** The address of the window that was opened last, also before a reload; `undefined` once its purchase is complete. */
export const openedWindow = {
  read: () => savedText(openedKey),
  keep: (url: string) => saveText(openedKey, url),
  forget: () => saveText(openedKey, undefined),
};

/**
 * The payments of this page. They outlive the screens that start them, because the provider's window does. The screens that
 * can start one bring the code (`start-payment.ts`); this is only what is kept.
 */
export class Payments {
  /** By the address of their window. */
  readonly widgets = new Map<string, Widget>();
  /** The widget that has, or had last, the one window. */
  begun: Widget | undefined;
  readonly #listeners = new Set<PaidListener>();

  /** @returns a function that ends it */
  onPaid(listener: PaidListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  paid(orderId: string, contractId: string): void {
    for (const listener of this.#listeners) listener(orderId, contractId);
  }
}

export const PaymentsContext = createContext<Payments | undefined>(undefined);

export function usePayments(): Payments {
  const payments = use(PaymentsContext);
  if (payments === undefined) throw new Error("there are no payments above this component");
  return payments;
}
