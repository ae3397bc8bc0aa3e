import { call, jitteredBackoff } from "@keepsats/client";
import type { Cents } from "@keepsats/domain";
import { lenderAccountSchema, shopPaths } from "@keepsats/protocol";
import { Button, type ButtonKind } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId } from "react";
import { useStore } from "zustand";
import { usePageSettings } from "../../lib/page-settings.ts";
import { usePayments } from "./payments.ts";
import { widgetUrl } from "./widget-protocol.ts";

export interface PayableOrder {
  readonly id: string;
  readonly total: Cents;
}

interface FinanceButtonProps {
  /** `undefined` before the order is placed. */
  readonly order: PayableOrder | undefined;
  /** The payment has succeeded, so the button is disabled. */
  readonly isDisabled: boolean;
  readonly label: string;
  /** `forward` by default. */
  readonly kind?: ButtonKind;
  /** Why the button is disabled, unless only because the lender cannot be reached. */
  readonly hint?: string | undefined;
}

/**
 * The button that opens the provider's pop-up, and a plain link for browsers that block pop-ups.
 * `onReported` of the payments reports the success.
 */
export function FinanceButton({
  order,
  isDisabled,
  label,
  kind = "forward",
  hint: reason,
}: FinanceButtonProps) {
  const hintId = useId();
  const payments = usePayments();
  const { lenderId, isFailing } = useLenderId();
  const orderId = order?.id;
  const { popupOrigin, inviteCode } = usePageSettings();
  const url =
    order &&
    lenderId &&
    widgetUrl({ amount: order.total, lenderId, orderId: order.id, inviteCode }, popupOrigin).href;
  const request = orderId && url ? { url, orderId, page: window } : undefined;
  const isOpen = useStore(payments.opened, (opened) => url !== undefined && opened.url === url);
  const unreachable = isFailing
    ? "The lender cannot be reached right now. We keep trying."
    : undefined;
  const hint = reason ?? unreachable;

  useEffect(() => {
    if (url && orderId) payments.resume({ url, orderId, page: window });
  }, [payments, url, orderId]);

  return (
    <section aria-label="Bitcoin-backed loans">
      <Button
        kind={kind}
        className="w-full"
        disabled={request === undefined || isDisabled}
        aria-describedby={hint === undefined ? undefined : hintId}
        onClick={() => request && payments.openPopup(request)}
      >
        {label}
      </Button>
      <p id={hintId} role="status" className="mt-2 min-h-6 text-sm text-ink-soft">
        {hint}
        {hint === undefined && request !== undefined && !isDisabled && (
          <>
            {isOpen && "Waiting for the payment window. "}
            No window opened?{" "}
            <a
              href={request.url}
              onClick={() => payments.expectLink(request)}
              target="_blank"
              rel="opener"
              className={textLink}
            >
              Open it in a new tab
            </a>
          </>
        )}
      </p>
    </section>
  );
}

/** Without jitter, in milliseconds. */
const FIRST_RETRY_DELAY = 1_000;
const MAX_RETRY_DELAY = 20_000;

/**
 * The id of the shop's account at the loan provider: `GET /api/me`, fetched once. A failed call is
 * retried with exponential backoff until it succeeds.
 */
function useLenderId() {
  const { data, failureCount } = useQuery({
    queryKey: ["lender account"],
    queryFn: ({ signal }) =>
      call({ path: shopPaths.lenderAccount, answer: lenderAccountSchema, signal }),
    retry: true,
    retryDelay: (failures) => jitteredBackoff(failures, FIRST_RETRY_DELAY, MAX_RETRY_DELAY),
  });
  return { lenderId: data?.id, isFailing: data === undefined && failureCount > 0 };
}
