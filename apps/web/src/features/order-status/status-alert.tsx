import { StatusSteps } from "./status-steps.tsx";
import { statusText } from "./status-texts.ts";

interface StatusAlertProps {
  readonly status: string | null | undefined;
  /** The order is Pending because its last payment has come to nothing. */
  readonly attemptOver: boolean;
}

/** Where the order stands: in large words, what happens next in small ones, and the steps. It is read out when it changes. */
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
            {attemptOver ? "The last loan came to nothing. You can pay with another." : next}
          </p>
        </div>
      </div>
      <StatusSteps status={status} />
    </section>
  );
}
