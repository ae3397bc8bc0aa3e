import { Button } from "@keepsats/ui/button.tsx";
import { useId } from "react";
import type { PurchaseStep } from "./purchase.ts";
import { useFocusWhen } from "./use-focus-when.ts";

interface CompletePurchaseProps {
  readonly step: PurchaseStep;
  /** The payment has failed after all, so paying again is the next step. */
  readonly hasFailed: boolean;
  readonly onComplete: () => void;
}

/**
 * The button that completes a purchase. It is enabled and focused when the widget reports success.
 */
export function CompletePurchase({ step, hasFailed, onComplete }: CompletePurchaseProps) {
  const button = useFocusWhen<HTMLButtonElement>(step === "done", "nearest");
  const hint = useId();
  return (
    <div>
      <Button
        ref={button}
        kind={hasFailed ? "plain" : "forward"}
        className="w-full"
        disabled={step !== "done"}
        aria-describedby={hint}
        onClick={onComplete}
      >
        Complete Purchase
      </Button>
      <p id={hint} className="mt-2 text-sm text-ink-soft">
        {step === "done"
          ? "This opens your order page."
          : "You can do this once the payment window reports success."}
      </p>
    </div>
  );
}
