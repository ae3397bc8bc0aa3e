import { classes } from "@keepsats/ui/classes.ts";
import { Check } from "lucide-react";
import type { PurchaseStep } from "./purchase.ts";

const steps: readonly { readonly step: PurchaseStep; readonly label: string }[] = [
  { step: "details", label: "Details" },
  { step: "pay", label: "Pay" },
  { step: "done", label: "Done" },
];

/** The steps of the checkout with the current one: 1 Details, 2 Pay, 3 Done. */
export function PurchaseSteps({ step: current }: { step: PurchaseStep }) {
  const reached = steps.findIndex(({ step }) => step === current);
  return (
    <ol
      aria-label="Steps of the purchase"
      className="mb-10 flex max-w-md flex-wrap items-center gap-3"
    >
      {steps.map(({ step, label }, index) => (
        <li
          key={step}
          aria-current={index === reached ? "step" : undefined}
          className={classes(
            "flex items-center gap-2",
            index > 0 && "grow before:h-px before:min-w-3 before:grow",
            index > 0 && (index <= reached ? "before:bg-ink" : "before:bg-line-strong"),
            index === reached && "font-bold",
            index > reached && "text-ink-soft",
          )}
        >
          <span
            className={classes(
              "money flex size-6 shrink-0 items-center justify-center rounded-full border text-sm",
              index > reached ? "border-line-strong" : "border-ink",
              index === reached && "bg-ink text-paper",
            )}
          >
            {index < reached ? <Check aria-hidden size={14} strokeWidth={3} /> : index + 1}
          </span>
          <span>
            {label}
            {index < reached && <span className="sr-only">, done</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
