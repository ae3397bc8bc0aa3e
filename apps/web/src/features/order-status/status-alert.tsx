import { StatusSteps } from "./status-steps.tsx";
import { statusText } from "./status-texts.ts";

interface StatusAlertProps {
  readonly status: string | null | undefined;
  /** The order is Pending again because its last payment attempt has failed. */
  readonly attemptOver: boolean;
}

/** The order's status, what happens next, and the steps. Screen readers announce a change. */
export function StatusAlert({ status, attemptOver }: StatusAlertProps) {
  const { icon: Icon, title, description, next } = statusText(status);
  return (
    <section aria-label="Status" className="border-y border-line py-8">
      <div role="status" data-status={status ?? "Unknown"} className="flex gap-4">
        <Icon aria-hidden size={36} strokeWidth={1.6} className="mt-0.5 shrink-0 sm:mt-1.5" />
        <div key={title} className="min-w-0 animate-arrive">
          <h2 className="text-2xl wrap-anywhere">{title}</h2>
          <p className="mt-2 text-lg">{description}</p>
          <p className="mt-1 text-ink-soft">
            {attemptOver ? "It is confirmed as soon as a new payment succeeds." : next}
          </p>
        </div>
      </div>
      <StatusSteps status={status} />
    </section>
  );
}
