import { call, jitteredBackoff } from "@keepsats/client";
import type { Cents } from "@keepsats/domain";
import { type CurrentUser, currentUserSchema, shopPaths } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { usePayments } from "./payments.ts";
import { widgetUrl } from "./widget-protocol.ts";

export interface PayableOrder {
  readonly id: string;
  readonly total: Cents;
}

export interface WidgetSettings {
  /** The origin of the provider on the shop's network. */
  readonly popupOrigin: string;
  readonly inviteCode: string;
}

export interface PaymentWidget {
  /** The order is placed and the current user is loaded. */
  readonly ready: boolean;
  /** The current user cannot be fetched, and is retried. */
  readonly failing: boolean;
  /** Opens the pop-up. */
  finance(): void;
  /** A plain link to the same URL, for browsers that block pop-ups. */
  readonly link: { readonly href: string; readonly onClick: () => void } | undefined;
}

/** The payment of an order. Its success is reported by `Payments.onPaid`. */
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
    if (url !== undefined && orderId !== undefined) payments.resume({ url, orderId, page: window });
  }, [payments, url, orderId]);

  if (url === undefined || orderId === undefined)
    return { ready: false, failing, finance() {}, link: undefined };
  const request = { url, orderId, page: window };
  return {
    ready: true,
    failing,
    finance: () => payments.openPopup(request),
    link: { href: url, onClick: () => payments.expectLink(request) },
  };
}

/** Without jitter, in milliseconds. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 20_000;

/**
 * The current user: `GET /api/me`, fetched once. A failed call is retried with exponential backoff
 * until it succeeds.
 */
function useCurrentUser(): {
  readonly user: CurrentUser | undefined;
  readonly failing: boolean;
} {
  const { data, failureCount } = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => call({ path: shopPaths.me, answer: currentUserSchema, signal }),
    retry: true,
    retryDelay: (failures) => jitteredBackoff(failures, FIRST_RETRY_DELAY, MAX_RETRY_DELAY),
  });
  return { user: data, failing: data === undefined && failureCount > 0 };
}
