import { Button, type ButtonKind } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/classes.ts";
import { useId } from "react";
import { type PayableOrder, usePaymentWidget, type WidgetSettings } from "./use-payment-widget.ts";

interface FinanceButtonProps {
  /** `undefined` before the order is placed. */
  readonly order: PayableOrder | undefined;
  readonly settings: WidgetSettings;
  /** The payment has succeeded, so the button is disabled. */
  readonly isDisabled: boolean;
  readonly label: string;
  /** `forward` by default. */
  readonly kind?: ButtonKind;
  /** The hint below the button. @param isFailing see `PaymentWidget.isFailing` */
  readonly hintFor?: (isFailing: boolean) => string | undefined;
}

/**
 * The button that opens the provider's pop-up, and a plain link for browsers that block pop-ups.
 */
export function FinanceButton({
  order,
  settings,
  isDisabled,
  label,
  kind = "forward",
  hintFor,
}: FinanceButtonProps) {
  const hintId = useId();
  const { isReady, isFailing, isOpen, finance, link } = usePaymentWidget(order, settings);
  const hint = hintFor?.(isFailing);
  return (
    <section aria-label="Bitcoin-backed loans">
      <Button
        kind={kind}
        className="w-full"
        disabled={!isReady || isDisabled}
        aria-describedby={hint === undefined ? undefined : hintId}
        onClick={finance}
      >
        {label}
      </Button>
      <p id={hintId} role="status" className="mt-2 min-h-6 text-sm text-ink-soft">
        {hint}
        {hint === undefined && link !== undefined && !isDisabled && (
          <>
            {isOpen && "Waiting for the payment window. "}
            No window opened?{" "}
            <a
              href={link.href}
              onClick={link.onClick}
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
