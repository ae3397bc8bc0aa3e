import { StatusSteps } from "./status-steps.tsx";
import { statusText } from "./status-texts.ts";

/** Where the order stands: in large words, what happens next in small ones, and the steps. It is read out when it changes. */
export function StatusAlert({ status }: { status: string | null | undefined }) {
  const { icon: Icon, title, description, next } = statusText(status);
  return (
    <section aria-label="Status" className="border-y border-line py-8">
      <div role="status" data-status={status ?? "Unknown"} className="flex gap-4">
        <Icon aria-hidden size={36} strokeWidth={1.6} className="mt-0.5 shrink-0 sm:mt-1.5" />
        <div key={title} className="min-w-0 animate-arrive">
          <h2 className="text-2xl">{title}</h2>
          <p className="mt-2 text-lg">{description}</p>
          <p className="mt-1 text-ink-soft">{next}</p>
        </div>
      </div>
      <StatusSteps status={status} />
    </section>
  );
}
