import { formatMoney, type OrderStatus } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { hasAttemptFailed } from "./payment-offer.ts";
import { nextText, statusText } from "./status-labels.ts";

interface StatusAlertProps {
  readonly order: SubscribedOrder;
  /** An error of the order stream. */
  readonly error: string | undefined;
  /** The page has a loan id, so there may be a loan. */
  readonly hasLoanId: boolean;
  /** The section with the payment button, above the progress. */
  readonly payment: ReactNode;
}

/** The order's status, the next step, and the progress. Screen readers announce a change. */
export function StatusAlert({ order, error, hasLoanId, payment }: StatusAlertProps) {
  const { status, refunded = 0 } = order;
  const { icon: Icon, title, description } = statusText(status);
  return (
    <section aria-label="Status" className="border-y border-line py-8 print:hidden">
      <div role="status" data-status={status ?? "Unknown"} className="flex gap-4">
        <Icon aria-hidden size={36} strokeWidth={1.6} className="mt-0.5 shrink-0 sm:mt-1.5" />
        <div key={title} className="min-w-0 animate-arrive">
          <h2 className="text-2xl wrap-anywhere">{title}</h2>
          <p className="mt-2 text-lg">{description}</p>
          <p className="mt-1 text-ink-soft">
            {nextText({
              status,
              error,
              attemptFailed: hasAttemptFailed(order),
              hasLoanId,
              refunded,
            })}
          </p>
          {refunded > 0 && status !== "Cancelled" && (
            <p className="mt-2 font-medium">Refunded {formatMoney(refunded)}</p>
          )}
        </div>
      </div>
      {payment}
      <StatusSteps status={status} />
    </section>
  );
}

interface Step {
  readonly status: OrderStatus;
  readonly label: string;
  /** While the order has this status, the step is "in progress", not "done". */
  readonly takesTime?: boolean;
}

const steps: readonly Step[] = [
  { status: "Pending", label: "Placed" },
  { status: "PaymentProcessing", label: "Paying", takesTime: true },
  { status: "PaymentProcessed", label: "Paid" },
  { status: "Shipped", label: "Shipped" },
  { status: "Delivered", label: "Delivered" },
];

type Progress = "done" | "in progress" | "to come";

/** From Placed to Delivered; none for a cancelled order and an unknown status. */
function StatusSteps({ status }: { status: string | null | undefined }) {
  const reached = steps.findIndex((step) => step.status === status);
  if (reached < 0) return null;
  return (
    <ol aria-label="Progress" className="mt-8 grid gap-y-4 overflow-clip sm:grid-cols-5">
      {steps.map(({ status: step, label, takesTime = false }, index) => {
        const progress =
          index > reached ? "to come" : index === reached && takesTime ? "in progress" : "done";
        return (
          <li
            key={step}
            aria-current={index === reached ? "step" : undefined}
            className={classes(
              "relative flex items-center gap-3 text-sm sm:flex-col sm:gap-2 sm:text-center",
              index > 0 && lineBefore,
              index > 0 && (index <= reached ? "before:bg-ink" : "before:bg-line-strong"),
              progress === "to come" ? "text-ink-soft" : "text-ink",
            )}
          >
            <StepMark progress={progress} />
            <span className={classes(index === reached && "font-bold")}>
              {label}
              <span className="sr-only">, {progress}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The line from the previous step to this one: vertical on a phone, horizontal elsewhere. */
const lineBefore = classes(
  "before:absolute before:bottom-[calc(50%+--spacing(3))] before:left-3 before:h-4 before:w-px",
  "sm:before:top-2.75 sm:before:right-[calc(50%+--spacing(3.5))] sm:before:left-[calc(-50%+--spacing(3.5))] sm:before:h-px sm:before:w-auto",
);

function StepMark({ progress }: { progress: Progress }) {
  return (
    <span
      className={classes(
        "flex size-6 shrink-0 items-center justify-center rounded-full border transition-colors",
        progress === "to come" ? "border-line-strong" : "border-ink",
        progress === "done" && "bg-ink text-paper",
      )}
    >
      {progress === "done" && <Check aria-hidden size={14} strokeWidth={3} />}
      {progress === "in progress" && (
        <span className="size-2.5 animate-arrive rounded-full border border-accent-edge bg-accent" />
      )}
    </span>
  );
}
