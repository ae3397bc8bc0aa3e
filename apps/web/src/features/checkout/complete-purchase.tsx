import { Button } from "../../ui/button.tsx";
import type { PurchaseStep } from "./purchase.ts";
import { useFocusWhen } from "./use-focus-when.ts";

/** The button that ends a purchase. It is enabled, and focused, once a loan pays the order. */
export function CompletePurchase({ step, onComplete }: { step: PurchaseStep; onComplete: () => void }) {
  const button = useFocusWhen<HTMLButtonElement>(step === "done", "nearest");
  return (
    <Button ref={button} kind="forward" className="w-full" disabled={step !== "done"} onClick={onComplete}>
      Complete Purchase
    </Button>
  );
}
