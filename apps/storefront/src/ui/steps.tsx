import { classes } from "@keepsats/ui/classes.ts";
import { Check } from "lucide-react";

interface StepsProps {
  readonly label: string;
  readonly steps: readonly string[];
  /** The index of the current step. All steps before it are done. */
  readonly current: number;
  readonly isCurrentDone?: boolean;
  readonly className: string;
}

/** Numbered steps in a row; in narrow windows more than three are in a column. */
export function Steps({ label, steps, current, isCurrentDone = false, className }: StepsProps) {
  const isLong = steps.length > 3;
  return (
    <ol
      aria-label={label}
      className={classes("flex gap-3", isLong && "max-md:flex-col", className)}
    >
      {steps.map((step, index) => {
        const isDone = index < current || (isCurrentDone && index === current);
        return (
          <li
            key={step}
            aria-current={index === current ? "step" : undefined}
            className={classes(
              "flex items-center gap-2",
              index > 0 && "grow before:h-px before:min-w-3 before:grow",
              index > 0 && (index <= current ? "before:bg-ink" : "before:bg-line-strong"),
              isLong && "max-md:before:hidden",
              index === current && "font-bold",
              index > current && "text-ink-soft",
            )}
          >
            <span
              className={classes(
                "money flex size-6 shrink-0 items-center justify-center rounded-full border text-sm",
                index > current ? "border-line-strong" : "border-ink",
                index === current && "bg-ink text-paper",
              )}
            >
              {isDone ? <Check aria-hidden size={14} strokeWidth={3} /> : index + 1}
            </span>
            <span>
              {step}
              {isDone && <span className="sr-only">, done</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
