import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import { textLink } from "../../ui/text-link.ts";
import type { PaymentWidget } from "./use-payment-widget.ts";

interface FinanceButtonProps {
  readonly widget: PaymentWidget;
  /** The payment has succeeded, so there is nothing more to start. */
  readonly paid: boolean;
  readonly label: string;
  /** Why it cannot be pressed yet. */
  readonly hint?: string | undefined;
}

/** The button that opens the provider's pop-up, and the plain link for browsers that block it. */
export function FinanceButton({ widget, paid, label, hint }: FinanceButtonProps) {
  const hintId = useId();
  const { ready, link } = widget;
  return (
    <section aria-label="Bitcoin-backed loans">
      <Button
        kind="forward"
        className="w-full"
        disabled={!ready || paid}
        aria-describedby={hint === undefined ? undefined : hintId}
        onClick={widget.finance}
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
