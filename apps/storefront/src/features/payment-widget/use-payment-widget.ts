import { call, jitteredBackoff } from "@keepsats/client";
import type { Cents } from "@keepsats/domain";
import { lenderAccountSchema, shopPaths } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
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
  /** The order is placed and the lender id is loaded. */
  readonly isReady: boolean;
  /** The lender id cannot be fetched, and is retried. */
  readonly isFailing: boolean;
  /** The pop-up is open, and its payment has not succeeded yet. */
  readonly isOpen: boolean;
  /** Opens the pop-up. */
  finance(): void;
  /** A plain link to the same URL, for browsers that block pop-ups. */
  readonly link: { readonly href: string; readonly onClick: () => void } | undefined;
}

/** The payment of an order. Its success is reported by `Payments.onReported`. */
export function usePaymentWidget(
  order: PayableOrder | undefined,
  { popupOrigin, inviteCode }: WidgetSettings,
): PaymentWidget {
  const { lenderId, isFailing } = useLenderId();
  const payments = usePayments();
  const orderId = order?.id;
  const url =
    order === undefined || lenderId === undefined
      ? undefined
      : widgetUrl({ amount: order.total, lenderId, orderId: order.id, inviteCode }, popupOrigin)
          .href;
  const isOpen = useStore(payments.opened, (opened) => url !== undefined && opened.url === url);

  useEffect(() => {
    if (url !== undefined && orderId !== undefined) payments.resume({ url, orderId, page: window });
  }, [payments, url, orderId]);

  if (url === undefined || orderId === undefined)
    return { isReady: false, isFailing, isOpen, finance() {}, link: undefined };
  const request = { url, orderId, page: window };
  return {
    isReady: true,
    isFailing,
    isOpen,
    finance: () => payments.openPopup(request),
    link: { href: url, onClick: () => payments.expectLink(request) },
  };
}

/** Without jitter, in milliseconds. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 20_000;

/**
 * The id of the shop's account at the loan provider: `GET /api/me`, fetched once. A failed call is
 * retried with exponential backoff until it succeeds.
 */
function useLenderId(): {
  readonly lenderId: string | undefined;
  readonly isFailing: boolean;
} {
  const { data, failureCount } = useQuery({
    queryKey: ["lender account"],
    queryFn: ({ signal }) =>
      call({ path: shopPaths.lenderAccount, answer: lenderAccountSchema, signal }),
    retry: true,
    retryDelay: (failures) => jitteredBackoff(failures, FIRST_RETRY_DELAY, MAX_RETRY_DELAY),
  });
  return { lenderId: data?.id, isFailing: data === undefined && failureCount > 0 };
}
