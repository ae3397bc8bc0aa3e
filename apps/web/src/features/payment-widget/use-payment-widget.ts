import type { Cents } from "@keepsats/domain";
import { useEffect } from "react";
import { useCurrentUser } from "./current-user-query.ts";
import { usePayments } from "./payments.ts";
import { type PopupHosts, widgetUrl } from "./widget-url.ts";

interface Options {
  /** The order to be paid, once there is one; `total` in cents. */
  readonly order: { readonly id: string; readonly total: Cents } | undefined;
  readonly network: string;
  readonly inviteCode: string;
  readonly popupHosts: PopupHosts;
}

/** The widget "Bitcoin-backed loans", as a screen uses it. */
export interface PaymentWidget {
  /** There are an order and a current user, so that paying can begin. */
  readonly ready: boolean;
  /** The current user cannot be read just now; it is asked for again. */
  readonly failing: boolean;
  /** Opens the pop-up. */
  finance(): void;
  /** The same as a plain link, for browsers that block pop-ups. */
  readonly link: { readonly href: string; readonly onClick: () => void } | undefined;
}

/** What comes of the payment is told by {@link usePayments}. */
export function usePaymentWidget({ order, network, inviteCode, popupHosts }: Options): PaymentWidget {
  const { user, failing } = useCurrentUser();
  const payments = usePayments();
  const orderId = order?.id;
  const lenderId = user?.id;
  const url =
    order === undefined || lenderId === undefined
      ? undefined
      : widgetUrl({ amount: order.total, lenderId, orderId: order.id, network, inviteCode }, popupHosts).href;

  useEffect(() => {
    if (url !== undefined && orderId !== undefined) payments.resume({ url, orderId });
  }, [payments, url, orderId]);

  if (url === undefined || orderId === undefined)
    return { ready: false, failing, finance() {}, link: undefined };
  const payment = { url, orderId };
  return {
    ready: true,
    failing,
    finance: () => payments.open(payment),
    link: { href: url, onClick: () => payments.expectLink(payment) },
  };
}
