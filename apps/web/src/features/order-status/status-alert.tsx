import type { Cents } from "@keepsats/domain";
import { StatusSteps } from "./status-steps.tsx";
import { nextText, statusText } from "./status-texts.ts";

interface StatusAlertProps {
  readonly status: string | null | undefined;
  /** The kind of the stream's error. */
  readonly error: string | undefined;
  /** The order is Pending again because its last payment attempt has failed. */
  readonly attemptOver: boolean;
  /** The page knows of a contract, so there may be a loan. */
  readonly hasContract: boolean;
  /** The refunded amount of a cancelled order. */
  readonly refunded: Cents | undefined;
}

/** The order's status, what happens next, and the steps. Screen readers announce a change. */
export function StatusAlert(props: StatusAlertProps) {
  const { status } = props;
  const { icon: Icon, title, description } = statusText(status);
  return (
    <section aria-label="Status" className="border-y border-line py-8 print:hidden">
      <div role="status" data-status={status ?? "Unknown"} className="flex gap-4">
        <Icon aria-hidden size={36} strokeWidth={1.6} className="mt-0.5 shrink-0 sm:mt-1.5" />
        <div key={title} className="min-w-0 animate-arrive">
          <h2 className="text-2xl wrap-anywhere">{title}</h2>
          <p className="mt-2 text-lg">{description}</p>
          <p className="mt-1 text-ink-soft">{nextText(props)}</p>
        </div>
      </div>
      <StatusSteps status={status} />
    </section>
  );
}
