import type { Cents } from "@keepsats/domain";
import { useEffect } from "react";
import { useCurrentUser } from "./current-user-query.ts";
import { usePayments } from "./payments.ts";
import { expectLink, openPopup, resume } from "./start-payment.ts";
import { widgetUrl } from "./widget-url.ts";

/** An order to be paid; `total` in cents. */
export interface PayableOrder {
  readonly id: string;
  readonly total: Cents;
}

/** The settings of the provider's pop-up. */
export interface WidgetSettings {
  /** The provider's origin on the shop's network. */
  readonly popupOrigin: string;
  readonly inviteCode: string;
}

/** The widget "Bitcoin-backed loans" of one order. */
export interface PaymentWidget {
  /** The order is placed and the current user is loaded, so the payment can be started. */
  readonly ready: boolean;
  /** The current user cannot be fetched and is retried. */
  readonly failing: boolean;
  /** Opens the pop-up. */
  finance(): void;
  /** A plain link to the same address, for browsers that block pop-ups. */
  readonly link: { readonly href: string; readonly onClick: () => void } | undefined;
}

/** Prepares the payment of an order. Its success is reported by `Payments.onPaid`. */
export function usePaymentWidget(
  order: PayableOrder | undefined,
  { popupOrigin, inviteCode }: WidgetSettings,
): PaymentWidget {
  const { user, failing } = useCurrentUser();
  const payments = usePayments();
  const orderId = order?.id;
  const lenderId = user?.id;
  const url =
    order === undefined || lenderId === undefined
      ? undefined
      : widgetUrl({ amount: order.total, lenderId, orderId: order.id, inviteCode }, popupOrigin)
          .href;

  useEffect(() => {
    if (url !== undefined && orderId !== undefined)
      resume(payments, { url, orderId, page: window });
  }, [payments, url, orderId]);

  if (url === undefined || orderId === undefined)
    return { ready: false, failing, finance() {}, link: undefined };
  const request = { url, orderId, page: window };
  return {
    ready: true,
    failing,
    finance: () => openPopup(payments, request),
    link: { href: url, onClick: () => expectLink(payments, request) },
  };
}
