import { Check } from "lucide-react";
import { classes } from "../../ui/classes.ts";

const steps = [
  { status: "Pending", label: "Placed" },
  { status: "PaymentProcessing", label: "Paying" },
  { status: "PaymentProcessed", label: "Paid" },
  { status: "Shipped", label: "Shipped" },
  { status: "Delivered", label: "Delivered" },
];

/** A quiet line of the steps that an order takes, up to where it is. Cancelled and unknown orders have none. */
export function StatusSteps({ status }: { status: string | null | undefined }) {
  const reached = steps.findIndex((step) => step.status === status);
  if (reached < 0) return null;
  const done = (index: number) => index < reached || index === steps.length - 1;
  return (
    <ol aria-label="Progress" className="mt-8 grid grid-cols-5 overflow-x-clip">
      {steps.map(({ status: step, label }, index) => (
        <li
          key={step}
          aria-current={index === reached ? "step" : undefined}
          className={classes(
            "relative flex flex-col items-center gap-2 text-center text-sm",
            index > 0 &&
              "before:absolute before:top-2.75 before:right-[calc(50%+0.875rem)] before:left-[calc(-50%+0.875rem)] before:h-px",
            index > 0 && (index <= reached ? "before:bg-ink" : "before:bg-line-strong"),
            index <= reached ? "text-ink" : "text-ink-soft",
          )}
        >
          <span
            className={classes(
              "flex size-6 items-center justify-center rounded-full border transition-colors",
              index <= reached && "border-ink",
              index <= reached && done(index) && "bg-ink text-paper",
              index > reached && "border-line-strong",
            )}
          >
            {index <= reached && done(index) && <Check aria-hidden size={14} strokeWidth={3} />}
            {index === reached && !done(index) && (
              <span className="size-2.5 animate-arrive rounded-full bg-accent" />
            )}
          </span>
          <span className={classes(index === reached ? "font-medium" : "max-[26rem]:sr-only")}>
            {label}
            <span className="sr-only">{index < reached ? ", done" : index > reached ? ", to come" : ""}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
