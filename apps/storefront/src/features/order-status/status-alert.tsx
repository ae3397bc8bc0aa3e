import { formatMoney, type OrderStatus } from "@keepsats/domain";
import type { SubscribedOrder } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { Steps } from "../../ui/steps.tsx";
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
          <p className="mt-1 text-ink-soft">{nextText(order, { error, hasLoanId })}</p>
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

const steps: readonly { readonly status: OrderStatus; readonly label: string }[] = [
  { status: "Pending", label: "Placed" },
  { status: "PaymentProcessing", label: "Paying" },
  { status: "PaymentProcessed", label: "Paid" },
  { status: "Shipped", label: "Shipped" },
  { status: "Delivered", label: "Delivered" },
];

/** From Placed to Delivered; none for a cancelled order and an unknown status. */
function StatusSteps({ status }: { status: string | null | undefined }) {
  const current = steps.findIndex((step) => step.status === status);
  if (current < 0) return null;
  return (
    <Steps
      label="Progress"
      steps={steps.map(({ label }) => label)}
      current={current}
      isCurrentDone={status !== "PaymentProcessing"}
      className="mt-8 text-sm"
    />
  );
}
