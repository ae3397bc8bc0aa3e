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
  readonly onSuccess: (contractId: string) => void;
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

  const lenderId = user?.id;
  const url =
    order === undefined || lenderId === undefined
      ? undefined
      : widgetUrl({ amount: order.total, lenderId, orderId: order.id, network, inviteCode }, popupHosts).href;

  useEffect(() => {
    if (url === undefined) return;
    const created = createWidget({
      url: new URL(url),
      page: window,
      onResult: (result) => {
        log(result);
        if (result.status === "success") told.current(result.contractId);
      },
    });
    widget.current = created;
    return () => {
      created.end();
      widget.current = undefined;
    };
  }, [url]);

  return {
    ready: url !== undefined,
    finance: () => widget.current?.open(),
    link: url === undefined ? undefined : { href: url, onClick: () => widget.current?.expectLink() },
  };
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
