import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { textLink } from "../../ui/text-link.ts";
import { type PayableOrder, usePaymentWidget, type WidgetSettings } from "./use-payment-widget.ts";

export interface FinanceButtonProps {
  /** The order to be paid, once there is one. */
  readonly order: PayableOrder | undefined;
  readonly settings: WidgetSettings;
  /** The payment has succeeded, so there is nothing more to start. */
  readonly paid: boolean;
  readonly label: string;
  /** Says why it cannot be pressed yet. @param failing the lender cannot be reached just now */
  readonly hintFor?: (failing: boolean) => string | undefined;
}

/** The button that opens the provider's pop-up, and the plain link for browsers that block it. */
export default function FinanceButton({ order, settings, paid, label, hintFor }: FinanceButtonProps) {
  const hintId = useId();
  const { ready, failing, finance, link } = usePaymentWidget(order, settings);
  const hint = hintFor?.(failing);
  return (
    <section aria-label="Bitcoin-backed loans">
      <Button
        kind="forward"
        className="w-full"
        disabled={!ready || paid}
        aria-describedby={hint === undefined ? undefined : hintId}
        onClick={finance}
      >
        {label}
      </Button>
      <p id={hintId} role="status" className="mt-2 min-h-6 text-sm text-ink-soft">
        {hint}
        {hint === undefined && link !== undefined && !paid && (
          <>
            No window opened?{" "}
            <a href={link.href} onClick={link.onClick} target="_blank" rel="opener" className={textLink}>
              Open it in a new tab
            </a>
          </>
        )}
      </p>
    </section>
  );
}
