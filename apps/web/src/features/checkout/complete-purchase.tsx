import { useId } from "react";
import { Button } from "../../ui/button.tsx";
import type { PurchaseStep } from "./purchase.ts";
import { useFocusWhen } from "./use-focus-when.ts";

/** The button that ends a purchase. It is enabled, and focused, once a loan pays the order. */
export function CompletePurchase({ step, onComplete }: { step: PurchaseStep; onComplete: () => void }) {
  const button = useFocusWhen<HTMLButtonElement>(step === "done", "nearest");
  const hint = useId();
  return (
    <div>
      <Button
        ref={button}
        kind="forward"
        className="w-full"
        disabled={step !== "done"}
        aria-describedby={hint}
        onClick={onComplete}
      >
        Complete Purchase
      </Button>
      <p id={hint} className="mt-2 text-sm text-ink-soft">
        {step === "done"
          ? "The last step: it leads to your order."
          : "The last step, once your loan is under way."}
      </p>
    </div>
  );
}
