import type { Cents } from "@keepsats/domain";
import { useEffect, useRef } from "react";
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
  const user = useCurrentUser();
  const widget = useRef<Widget>(undefined);
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
    const kept = widgetFor(url, (contractId) => told.current(orderId, contractId));
    widget.current = kept;
    return () => {
      kept.release();
      widget.current = undefined;
    };
  }, [url, orderId]);

  return {
    ready: url !== undefined,
    finance: () => {
      rememberOpened(url);
      widget.current?.open();
    },
    link:
      url === undefined
        ? undefined
        : {
            href: url,
            onClick: () => {
              rememberOpened(url);
              widget.current?.expectLink();
            },
          },
  };
}

interface KeptWidget {
  readonly widget: Widget;
  onSuccess: (contractId: string) => void;
}

/** A window outlives the screen that opened it, so its widget is kept for when the shopper comes back to the screen. */
const widgets = new Map<string, KeptWidget>();

function widgetFor(url: string, onSuccess: KeptWidget["onSuccess"]): Widget {
  const known = widgets.get(url);
  if (known !== undefined) {
    known.onSuccess = onSuccess;
    known.widget.resume();
    return known.widget;
  }
  const widget = createWidget({
    url: new URL(url),
    page: window,
    onResult: (result) => {
      log(result);
      if (result.status === "success") widgets.get(url)?.onSuccess(result.contractId);
    },
  });
  widgets.set(url, { widget, onSuccess });
  if (wasOpened(url)) widget.expectLink();
  return widget;
}

const openedKey = "keepsats-opened-window";

/** Notes for which payment a window was opened, because it may still be there after a reload of the page. */
function rememberOpened(url: string | undefined): void {
  if (url !== undefined) sessionStorage.setItem(openedKey, url);
}

/** Whether, before a reload, a window was opened for this payment: we no longer know it, but it knows us. */
function wasOpened(url: string): boolean {
  return sessionStorage.getItem(openedKey) === url;
}

/** Forgets the window that was opened last: its payment is complete. */
export function forgetOpened(): void {
  sessionStorage.removeItem(openedKey);
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
